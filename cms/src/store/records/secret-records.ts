import { randomBytes } from 'node:crypto'
import type { Connection, Transaction } from '../database/connection.ts'
import { sql } from '../database/sql.ts'

const NAME = 'service'
const BYTES = 32

/** The random secret of a database, which signs and keys what only its own service may make. No backup has it. */
export class SecretRecords<Connected extends Connection> {
  readonly #connection: Connected

  constructor(connection: Connected) {
    this.#connection = connection
  }

  /** Null until it is made. */
  async get(): Promise<Buffer | null> {
    const [row] = await this.#connection.all<{ value: string }>(sql`select value from secrets where name = ${NAME}`)
    return row === undefined ? null : Buffer.from(row.value, 'base64')
  }

  /** Makes the secret, unless another process has made it meanwhile. */
  async make(this: SecretRecords<Transaction>): Promise<void> {
    const value = randomBytes(BYTES).toString('base64')
    await this.#connection.all(
      sql`insert into secrets (name, value) values (${NAME}, ${value}) on conflict (name) do nothing`,
    )
  }
}
