/** Facts about a database, read without changing it: for those who run the service. */
export interface Inspection {
  /** The name of the database product, with its version. */
  readonly product: string
  /** The oldest version that is supported, where it is older. */
  readonly needed: string | null
  /** The version of its tables; 0 where there are none. */
  readonly tables: number
  readonly bytes: number
  /** Of the file of changes that are not in the database file yet; null where there is none. */
  readonly walBytes: number | null
  /** Damaged rows, and references to nothing: some of them. */
  readonly problems: readonly string[]
  /** How far its clock is ahead of ours, in milliseconds; null where it has none of its own. */
  readonly aheadMs: number | null
  /** How many connections the server allows at most, to all programs; null where that does not matter. */
  readonly maxConnections: number | null
  /** Rights that a service needs and this account lacks, with advice. */
  readonly denied: readonly { readonly what: string; readonly advice: string }[]
}

/** How many problems are looked for. */
export const MOST_PROBLEMS = 10
