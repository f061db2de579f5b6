import type { Attempts, ThrottleReader, ThrottleWriter } from '../contract/store.ts'
import type { Dialect } from '../database/dialect.ts'
import { sql } from '../database/sql.ts'
import type { Connection } from '../database/statement.ts'

/** Reads failed attempts to sign in. */
export class SqlThrottleReader implements ThrottleReader {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  async blockedUntil(keys: readonly string[]): Promise<number> {
    const [row] = await this.#connection.all<{ until: number | null }>(
      sql`select max(until) as until from throttle where ${this.#connection.dialect.oneOf(sql`key`, [...new Set(keys)], 'text')}`,
    )
    return Number(row?.until ?? 0)
  }
}

/** Counts failed attempts to sign in, for all processes. */
export class SqlThrottleWriter implements ThrottleWriter {
  readonly #connection: Connection
  readonly #dialect: Dialect

  constructor(connection: Connection) {
    this.#connection = connection
    this.#dialect = connection.dialect
  }

  async lock(keys: readonly string[]): Promise<Attempts[]> {
    // Always in the same order, which rules out deadlocks.
    const sorted = [...new Set(keys)].sort()
    const table = this.#dialect.table(
      'r',
      { key: 'text' },
      sorted.map((key) => [key]),
    )
    await this.#connection.all(
      sql`insert into throttle (key, failures, since, blocks, until) select r.key, 0, 0, 0, 0 from ${table} where true
        order by r.key on conflict do nothing`,
    )
    return this.#connection.all<Attempts>(
      sql`select key, failures, since, blocks, until from throttle where ${this.#dialect.oneOf(sql`key`, sorted, 'text')}
        order by key ${this.#dialect.forUpdate}`,
    )
  }

  async put({ key, failures, since, blocks, until }: Attempts): Promise<void> {
    await this.#connection.all(
      sql`update throttle set failures = ${failures}, since = ${since}, blocks = ${blocks}, until = ${until}
        where key = ${key}`,
    )
  }

  async remove(key: string): Promise<void> {
    await this.#connection.all(sql`delete from throttle where key = ${key}`)
  }

  async removeBefore(time: number): Promise<void> {
    await this.#connection.all(sql`delete from throttle where until < ${time} and since < ${time}`)
  }
}
