/**
 * The version of the tables that this program needs: how many migrations there are, which are read only to be taken.
 */
export const TABLES_VERSION = 20
