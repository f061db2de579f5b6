import type { Clipboard, ClipboardReader, ClipboardWriter } from '../contract/store.ts'
import type { Transaction } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import type { Connection } from '../database/statement.ts'

/** Reads clipboards. */
export class SqlClipboardReader implements ClipboardReader {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  async has(hash: string, now: string): Promise<boolean> {
    const rows = await this.#connection.all(
      sql`select hash from clipboards where hash = ${hash} and expires_at > ${now}`,
    )
    return rows.length > 0
  }
}

/** Adds and takes clipboards. */
export class SqlClipboardWriter implements ClipboardWriter {
  readonly #transaction: Transaction

  constructor(transaction: Transaction) {
    this.#transaction = transaction
  }

  async add({ hash, maker, content, createdAt, expiresAt }: Clipboard): Promise<void> {
    await this.#transaction.all(
      sql`insert into clipboards (hash, maker, content, created_at, expires_at)
        values (${hash}, ${maker}, ${content}, ${createdAt}, ${expiresAt})`,
    )
  }

  async take(hash: string, now: string): Promise<string | null> {
    const [row] = await this.#transaction.all<{ content: string }>(
      sql`delete from clipboards where hash = ${hash} and expires_at > ${now} returning content`,
    )
    return row?.content ?? null
  }

  async lock(): Promise<void> {
    // Where writers never wait inside a transaction, there is only one at a time.
    if (!this.#transaction.dialect.hasWaited) return
    await this.#transaction.all(
      sql`insert into meta (name, value) values ('clipboards', '')
        on conflict (name) do update set value = excluded.value`,
    )
  }

  async removeOld(maker: string, keep: number, now: string): Promise<void> {
    await this.#transaction.all(sql`delete from clipboards where expires_at <= ${now} or (maker = ${maker}
      and hash not in (select hash from clipboards where maker = ${maker} order by created_at desc, hash limit ${keep}))`)
  }

  async removeExpired(now: string): Promise<void> {
    await this.#transaction.all(sql`delete from clipboards where expires_at <= ${now}`)
  }
}
