import { literal, type Sql, sql } from '../database/sql.ts'
import type { Connection } from '../database/statement.ts'

const ROWS = 100

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

  /** Sends them for all rows. `onRange` is awaited after each range. */
  async run(connection: Connection, onRange: () => Promise<void>): Promise<void> {
    const key = this.#key
    let after = sql`true`
    for (let isLast = false; !isLast; ) {
      const [last] = await connection.varied<{ key: unknown }>(
        sql`select ${key} as key from ${this.#table} where ${after} order by ${key} limit 1 offset ${literal(ROWS - 1)}`,
      )
      const range = last === undefined ? after : sql`${after} and ${key} <= ${last.key}`
      // Planned anew each time: the tables grow meanwhile.
      for (const statement of this.#statements(range)) await connection.varied(statement)
      await onRange()
      if (last === undefined) isLast = true
      else after = sql`${key} > ${last.key}`
    }
  }
}
