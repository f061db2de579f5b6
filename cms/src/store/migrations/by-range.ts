import type { Connection } from '../database/connection.ts'
import { literal, type Sql, sql } from '../database/sql.ts'

const ROWS = 100

type InTransaction = <T>(work: (connection: Connection) => Promise<T>) => Promise<T>

/**
 * Statements that are sent for one range of a table's rows after another: what a statement holds in memory (values it
 * was given by functions, pages to go back to should it fail) does not grow with the table.
 */
export class ByRange {
  readonly #table: Sql
  readonly #key: Sql
  readonly #statements: (range: Sql) => readonly Sql[]

  /** `key`: an indexed column, with its table. `statements` are given the condition that a row is in the range. */
  constructor(table: Sql, key: Sql, statements: (range: Sql) => readonly Sql[]) {
    this.#table = table
    this.#key = key
    this.#statements = statements
  }

  /** Runs the statements for all rows, those of each range by `inTransaction`. `onRange` is awaited after each range. */
  async run(inTransaction: InTransaction, onRange: () => Promise<void>): Promise<void> {
    let after: Sql | null = sql`true`
    while (after !== null) {
      const range: Sql = after
      after = await inTransaction((connection) => this.#next(connection, range))
      await onRange()
    }
  }

  /** Sends them for the rows that follow; what follows these, null at the end. */
  async #next(connection: Connection, after: Sql): Promise<Sql | null> {
    const key = this.#key
    const [last] = await connection.varied<{ key: unknown }>(
      sql`select ${key} as key from ${this.#table} where ${after} order by ${key} limit 1 offset ${literal(ROWS - 1)}`,
    )
    const range = last === undefined ? after : sql`${after} and ${key} <= ${last.key}`
    // Planned again each time: the tables grow meanwhile.
    for (const statement of this.#statements(range)) await connection.varied(statement)
    return last === undefined ? null : sql`${key} > ${last.key}`
  }
}
