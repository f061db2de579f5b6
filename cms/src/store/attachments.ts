import type { Dialect } from './dialect.ts'
import { sql } from './sql.ts'
import type { Connection } from './statement.ts'
import type { AttachmentReader } from './store.ts'

/** Reads what is known of uploaded files. */
export class Attachments implements AttachmentReader {
  readonly #connection: Connection
  readonly #dialect: Dialect

  constructor(connection: Connection, dialect: Dialect) {
    this.#connection = connection
    this.#dialect = dialect
  }

  async existing(ids: readonly string[]): Promise<Set<string>> {
    if (ids.length === 0) return new Set()
    const rows = await this.#connection.all<{ id: string }>(
      sql`select id from attachments where ${this.#dialect.oneOf(sql`id`, ids, 'text')}`,
    )
    return new Set(rows.map(({ id }) => id))
  }
}
