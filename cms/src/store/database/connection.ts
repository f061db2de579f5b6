import type { Announcement } from '../terms/changes.ts'
import type { SearchQuery, SearchScope } from '../terms/search-query.ts'
import { type Cell, joined, quotedName, type Sql, sql } from './sql.ts'
import type { TablesState } from './tables-state.ts'

/** A receiver of statements: a reader, or one transaction. */
export interface Connection {
  readonly dialect: Dialect
  /** The rows of a statement. */
  all<Row>(query: Sql<Row>): Promise<Row[]>
  /** `all` for statements whose best plan depends on the values, which may be rare or common. */
  varied<Row>(query: Sql<Row>): Promise<Row[]>
  /** The rows of a statement whose text never changes; it is built at the first use. */
  fixed<Row, Values extends Bindings>(query: Fixed<Row, Values>, values: Values): Promise<Row[]>
}

/** A connection inside a transaction. */
export interface Transaction extends Connection {
  /**
   * Sends a statement whose rows nobody needs. This may resolve before it has run: when it fails, the next one or the
   * commit fails with its error.
   */
  send(statement: Sql): Promise<void>
  /** Announces what this transaction changes: all processes hear of it with the commit. */
  changed(announcement: Announcement): void
  /** Announces that a credential lost rights: all processes hear of it with the commit. */
  credentialsRevoked(): void
}

/** A statement as it is sent. */
export interface Statement {
  readonly text: string
  readonly parameters: readonly unknown[]
}

/** Puts the placeholders of parameters between the texts of a statement. */
type PlaceholderWriter = (texts: readonly string[]) => string

/** Values by name. */
export type Bindings = { readonly [name: string]: string | number | null | Uint8Array }

/** A statement whose text never changes: built once for each database, with placeholders for its values. */
export interface Fixed<Row, Values extends Bindings> {
  statement(dialect: Dialect, write: PlaceholderWriter, values: Values): Statement
  /** The text as people read it, with a question mark for each value. */
  shown(dialect: Dialect): string
  /** Carries the type of the rows only. */
  readonly row?: Row
}

/** The types of columns, by the names that both databases are given them under. */
export type ColumnType = 'text' | 'number' | 'integer'

/** The SQL that differs between the databases, and why. All other SQL is common to both. */
export interface Dialect {
  /**
   * Rows of ours as a table named `alias` in a `from` clause, bound as few parameters, so that the statement's text
   * does not depend on their number: one reads JSON, the other arrays.
   */
  table(alias: string, columns: Readonly<Record<string, ColumnType>>, rows: readonly (readonly Cell[])[]): Sql
  /** The condition that an expression is one of the values, however many: one reads JSON, the other takes arrays. */
  oneOf(expression: Sql, values: readonly Cell[], type: ColumnType): Sql
  /** Row numbers as a table `i` with one column `value`; the text, of `rowsText`, may be bound later. */
  rowsIn(text: unknown): Sql
  /** Row numbers as one text. */
  rowsText(rows: readonly number[]): string
  /** Returns the values of an expression, where a test holds, as a JSON array in the order of the rows. */
  jsonList(expression: Sql, where?: Sql): Sql
  /** Returns some expressions as one JSON array. */
  jsonOf(expressions: readonly Sql[]): Sql
  /** The text that an object, stored as JSON, has under a name. */
  textIn(json: Sql, name: string): Sql
  /** An object, stored as JSON without spaces, without these names; all else in it stays as it is written. */
  withoutNames(json: Sql, names: readonly string[]): Sql
  /** The hash of a text, as `contentHash` computes it. */
  contentHash(text: Sql): Sql
  /** Joins two tables in the order written: one database plans by heuristics and needs the hint. */
  readonly joinInOrder: Sql
  /** Joins the rows of a table whose id is among those that a query chooses for each row before: one has `lateral`. */
  joinEach(table: Sql, id: Sql, chosen: Sql): Sql
  /** An expression for which the planner uses no index. */
  unindexed(expression: Sql): Sql
  /** Locks the rows that are read until the transaction ends: needed only where writers run concurrently. */
  readonly forUpdate: Sql
  /** As `forUpdate`, but leaves out rows that others have locked. */
  readonly forUpdateOfFree: Sql
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
  /** Follows a migration: processes of programs that may not use the tables any more are to notice. */
  moveFences(from: TablesState, to: TablesState): readonly Sql[]
  /** A row where there is a table `meta`. */
  readonly metaRow: Sql
  /** Statements that follow the creation of tables (triggers that announce changes). */
  readonly extras: readonly Sql[]
  /** The table by which processes announce to each other what they change, if the database has no way of its own. */
  readonly changes: readonly Sql[]
  /** Makes a change of this column count as a change of documents for other processes. */
  countsAsContent(table: string, column: string): readonly Sql[]
}

/** Reading and writing whole tables: bytes go through it as hexadecimal digits, which both databases read and write. */
interface CopyingDialect {
  /** Tables that no copy has: what they hold is made again, of the others or at random. */
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

/** Selects hits of a search. */
export interface Hits {
  readonly scope: SearchScope
  readonly states: readonly number[]
  readonly search: SearchQuery
}

/** Full-text search, which differs most. */
interface SearchDialect {
  readonly tables: readonly Sql[]
  /** The document's row number of a hit. */
  readonly row: Sql
  /** The condition of a hit, in the table `search`. */
  readonly where: (hits: Hits) => Sql
  /** A number of hits after a row number, in order, as `n`; null where one statement finds all. */
  readonly part: (hits: Hits, after: number, count: number) => Sql | null
  /** Columns that show which words are indexed already, so that those are left as they are. */
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

class Placeholder {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/**
 * Declares a statement for the busiest paths. `build` is called once for each database; the values it gets are
 * placeholders that may be used as parameters only.
 */
export function fixed<Row, Values extends Bindings>(
  build: (values: Values, dialect: Dialect) => Sql<Row>,
): Fixed<Row, Values> {
  // The placeholders take the place of values: they are only ever bound.
  const placeholders = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) }) as Values
  const built = new Map<Dialect, Statement>()
  return {
    statement(dialect, write, values) {
      let statement = built.get(dialect)
      if (statement === undefined) {
        const { texts, values: parameters } = build(placeholders, dialect)
        statement = { text: write(texts), parameters }
        built.set(dialect, statement)
      }
      const fill = (parameter: unknown) => (parameter instanceof Placeholder ? values[parameter.name] : parameter)
      return { text: statement.text, parameters: statement.parameters.map(fill) }
    },
    shown: (dialect) => build(placeholders, dialect).texts.join('?'),
  }
}

/** The columns and rows of an `insert`, however many rows. */
export function insertedRows(
  dialect: Dialect,
  columns: Readonly<Record<string, ColumnType>>,
  rows: readonly (readonly Cell[])[],
): Sql {
  const names = joined(Object.keys(columns).map(quotedName))
  return sql`(${names}) select ${names} from ${dialect.table('r', columns, rows)} where true`
}

/** Reads and writes rows of one kind. Methods that write can only be called on one of a `Transaction`. */
export abstract class Repository<Connected extends Connection = Connection> {
  protected readonly connection: Connected

  constructor(connection: Connected) {
    this.connection = connection
  }

  protected get dialect(): Dialect {
    return this.connection.dialect
  }

  /** The first row of a statement; null where it has none. */
  protected async firstRow<Row>(query: Sql<Row>): Promise<Row | null> {
    const [row] = await this.connection.all(query)
    return row ?? null
  }

  /** Whether a statement finds, or changes and returns, any row. */
  protected async hasRows(query: Sql): Promise<boolean> {
    return (await this.connection.all(query)).length > 0
  }

  /** The `count` that a statement selects. */
  protected async countOf(query: Sql<{ readonly count: number }>): Promise<number> {
    return (await this.firstRow(query))?.count ?? 0
  }

  /** Lets each of several transactions that name the same wait for the one before it. */
  protected async waitForOthers(this: Repository<Transaction>, name: string): Promise<void> {
    // Where writers never wait inside a transaction, there is only one at a time.
    if (!this.dialect.hasWaited) return
    await this.connection.all(
      sql`insert into meta (name, value) values (${name}, '') on conflict (name) do update set value = excluded.value`,
    )
  }
}
