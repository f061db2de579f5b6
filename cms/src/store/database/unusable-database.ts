/** The database cannot be used as it is, or as it is named. The message says why and what to do. */
export class UnusableDatabase extends Error {}
