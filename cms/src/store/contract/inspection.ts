/** What can be found out of a database without changing it: for those who run the service. */
export interface Inspection {
  /** What the database is, with its version. */
  readonly product: string
  /** What it has to be at least, where it is older. */
  readonly needed: string | null
  /** The version of its tables; 0 where there are none. */
  readonly tables: number
  readonly bytes: number
  /** Of the file of changes that are not in the database file yet; null where there is none. */
  readonly walBytes: number | null
  /** What is damaged, or refers to nothing: some of it. */
  readonly problems: readonly string[]
  /** How far its clock is ahead of ours, in milliseconds; null where it has none of its own. */
  readonly aheadMs: number | null
  /** How many connections the server allows at most, to all programs; null where that does not matter. */
  readonly maxConnections: number | null
  /** What a service does and this account may not do, and what to do about it. */
  readonly denied: readonly { readonly what: string; readonly advice: string }[]
}

/** How many problems are looked for. */
export const MOST_PROBLEMS = 10
