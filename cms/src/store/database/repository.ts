import type { Connection, Dialect, Transaction } from './connection.ts'
import { type Sql, sql } from './sql.ts'

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
