import type { Scope } from '../contract/document-store.ts'
import type { SearchQuery } from '../contract/search-query.ts'
import type { Sql } from './sql.ts'

/** The types of columns, by the names that both databases are given them under. */
export type ColumnType = 'text' | 'number' | 'integer'

/** A value in a row that is given to a statement. */
export type Cell = string | number | null

/** What differs between the databases, and why. All other SQL is the same for both. */
export interface Dialect {
  /**
   * Rows of ours as a table named `alias` in a `from` clause, bound as few parameters, so that the statement's text
   * does not depend on their number: one reads JSON, the other arrays.
   */
  table(alias: string, columns: Readonly<Record<string, ColumnType>>, rows: readonly (readonly Cell[])[]): Sql
  /** That an expression is one of the values, however many: one reads JSON, the other takes arrays. */
  oneOf(expression: Sql, values: readonly Cell[], type: ColumnType): Sql
  /** Row numbers as a table `i` with one column `value`; the text, of `rowsText`, may be bound later. */
  rowsIn(text: unknown): Sql
  /** Row numbers as one text. */
  rowsText(rows: readonly number[]): string
  /** All values of an expression, or those where a test holds, as the text of a JSON array in the order of the rows. */
  jsonList(expression: Sql, where?: Sql): Sql
  /** Some expressions as one JSON array. */
  jsonOf(expressions: readonly Sql[]): Sql
  /** The text that an object, stored as JSON, has under a name. */
  textIn(json: Sql, name: string): Sql
  /** An object, stored as JSON without spaces, without these names; all else in it stays as it is written. */
  withoutNames(json: Sql, names: readonly string[]): Sql
  /** What `contentHash` makes of a text. */
  contentHash(text: Sql): Sql
  /** Joins two tables in the order written: one database plans by heuristics and needs the hint. */
  readonly joinInOrder: Sql
  /** Joins the rows of a table whose id is among those that a query chooses for each row before: one has `lateral`. */
  joinEach(table: Sql, id: Sql, chosen: Sql): Sql
  /** The same expression, for which the planner uses no index. */
  unindexed(expression: Sql): Sql
  /** Locks the rows that are read until the transaction ends: needed only where writers run concurrently. */
  readonly forUpdate: Sql
  /** Whether a locking statement may have waited, and then shows rows as they were before it did. */
  readonly hasWaited: boolean
  /** Column types, whose names differ. */
  readonly words: {
    /** A row number that the database assigns, never twice. */
    readonly rowNumber: Sql
    /** A column that refers to a row number. */
    readonly rowReference: Sql
    /** Text that compares by code point. */
    readonly text: Sql
    readonly number: Sql
    readonly bytes: Sql
  }
  /** How whole tables are read and written: for backups. */
  readonly copying: CopyingDialect
  /** Full text search: each database brings its own. */
  readonly search: SearchDialect
  /** Whether a statement failed because a row has the same unique values: errors differ. */
  isDuplicate(error: unknown): boolean
  /** A row where there is a table `meta`. */
  readonly metaRow: Sql
  /** What a database needs besides the tables, after they are created (triggers that announce changes). */
  readonly extras: readonly Sql[]
  /** Where processes tell each other what they change, if the database has no way of its own. */
  readonly changes: readonly Sql[]
  /** Makes a change of this column count as a change of documents for other processes. */
  countsAsContent(table: string, column: string): readonly Sql[]
}

/** Reading and writing whole tables: bytes go through it as hexadecimal digits, which both databases read and write. */
export interface CopyingDialect {
  /** Tables that only this database has; all that they hold is made of the others again. */
  readonly ownTables: readonly string[]
  /** Sent first in a transaction that may wait for files, disks and networks for as long as those take. */
  readonly withoutTimeouts: readonly Sql[]
  /** Reads a table's rows, some at a time: one walks row numbers, which it calls `#`, the other has cursors. */
  readonly reading: {
    readonly open: (rows: Sql) => readonly Sql[]
    readonly next: (rows: Sql, after: number, count: number) => Sql<Readonly<Record<string, Cell>>>
    readonly close: readonly Sql[]
  }
  readonly hexOf: (bytes: Sql) => Sql
  readonly bytesOf: (hex: Sql) => Sql
  /** Precedes the rows of an insert that brings its own row numbers. */
  readonly withRowNumbers: Sql
  /** The last row number that was given to a row, as `last`. */
  readonly lastRowNumber: (table: string, column: string) => Sql<{ readonly last: number | null }>
  readonly setLastRowNumber: (table: string, column: string, last: number) => readonly Sql[]
}

/** Which hits are wanted. */
export interface Hits {
  readonly scope: Scope
  readonly states: readonly number[]
  readonly search: SearchQuery
}

/** Full-text search, which differs most. */
export interface SearchDialect {
  readonly tables: readonly Sql[]
  /** The document's row number of a hit. */
  readonly row: Sql
  /** The table to put into `from`, and what must hold for a hit. */
  readonly from: Sql
  readonly where: (hits: Hits) => Sql
  /** So many of the hits after a row number, in order, as `n`; null where all are found at once. */
  readonly part: (hits: Hits, after: number, count: number) => Sql | null
  /** What the tables have since words that are indexed already are left as they are. */
  readonly hashes: readonly Sql[]
  /** Settings that leave it to `merge` to merge what `put` has written. */
  readonly merging: readonly Sql[]
  /** Replaces the words by which rows are found; those that are the same as before are not indexed again. */
  put(rows: readonly SearchRow[]): readonly Sql[]
  /** Rows are indexed again whatever their words. */
  forget(rows: readonly number[]): readonly Sql[]
  remove(rows: readonly number[]): readonly Sql[]
  /** Merges some of what `put` has written. */
  readonly merge: Sql
  /** How many rows were changed so far: `merge` is one itself, and each page that it writes is another. */
  readonly changedRows: Sql<{ readonly count: number }>
}

/** A document to index for search: its row number and its words. */
export interface SearchRow {
  readonly row: number
  readonly words: string
}
