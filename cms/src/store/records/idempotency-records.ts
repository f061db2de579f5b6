import type {
  IdempotencyReader,
  IdempotencyWriter,
  IdempotentRequest,
  IdempotentRequestState,
} from '../contract/store.ts'
import { sql } from '../database/sql.ts'
import type { Connection } from '../database/statement.ts'

interface Row extends Omit<IdempotentRequestState, 'isCommitted'> {
  readonly committed: number
}

/** Reads requests that are carried out once. */
export class SqlIdempotencyReader implements IdempotencyReader {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  async get(id: string): Promise<IdempotentRequestState | null> {
    const [row] = await this.#connection.all<Row>(
      sql`select id, body, since, until, committed, answer from idempotency where id = ${id}`,
    )
    if (row === undefined) return null
    const { committed, ...state } = row
    return { ...state, isCommitted: committed !== 0 }
  }
}

/** Notes requests that are carried out once, in one transaction. */
export class SqlIdempotencyWriter implements IdempotencyWriter {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  async claim({ id, body, until }: IdempotentRequest, now: number, oldest: number): Promise<boolean> {
    const rows = await this.#connection.all(
      sql`insert into idempotency (id, body, since, until, committed, answer)
        values (${id}, ${body}, ${now}, ${until}, 0, null)
        on conflict (id) do update set body = excluded.body, since = excluded.since, until = excluded.until,
          committed = 0, answer = null
        where idempotency.since < ${oldest}
          or (idempotency.answer is null and idempotency.committed = 0 and idempotency.until < ${now})
        returning id`,
    )
    return rows.length > 0
  }

  async extend(id: string, until: number): Promise<void> {
    await this.#connection.all(sql`update idempotency set until = ${until} where id = ${id} and answer is null`)
  }

  async commit(id: string): Promise<void> {
    await this.#connection.all(sql`update idempotency set committed = 1 where id = ${id}`)
  }

  async finish(id: string, answer: string | null): Promise<void> {
    await this.#connection.all(
      sql`update idempotency set answer = ${answer}, committed = 1, until = 0 where id = ${id}`,
    )
  }

  async abandon(id: string): Promise<void> {
    await this.#connection.all(sql`delete from idempotency where id = ${id} and committed = 0`)
    await this.#connection.all(sql`update idempotency set until = 0 where id = ${id}`)
  }

  async removeBefore(time: number): Promise<void> {
    await this.#connection.all(sql`delete from idempotency where since < ${time}`)
  }
}
