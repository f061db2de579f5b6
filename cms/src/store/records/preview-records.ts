import type { Preview, PreviewReader, PreviewWriter } from '../contract/store.ts'
import type { Transaction } from '../database/database.ts'
import { type Sql, sql } from '../database/sql.ts'
import { type Connection, fixed } from '../database/statement.ts'

interface PreviewRow {
  readonly hash: string
  readonly doc_id: string
  readonly locale: string
  readonly maker_kind: Preview['maker']['kind']
  readonly maker_id: string
  readonly created_at: string
  readonly expires_at: string
}

const BY_HASH = fixed(
  ({ hash }: { hash: string }): Sql<PreviewRow> =>
    sql`select hash, doc_id, locale, maker_kind, maker_id, created_at, expires_at from previews where hash = ${hash}`,
)

/** Reads previews. */
export class SqlPreviewReader implements PreviewReader {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  async byHash(hash: string): Promise<Preview | null> {
    const [row] = await this.#connection.fixed(BY_HASH, { hash })
    if (row === undefined) return null
    const { doc_id: docId, locale, created_at: createdAt, expires_at: expiresAt } = row
    return { hash, docId, locale, maker: { kind: row.maker_kind, id: row.maker_id }, createdAt, expiresAt }
  }
}

/** Adds and revokes previews. */
export class SqlPreviewWriter implements PreviewWriter {
  readonly #transaction: Transaction

  constructor(transaction: Transaction) {
    this.#transaction = transaction
  }

  async add({ hash, docId, locale, maker, createdAt, expiresAt }: Preview): Promise<void> {
    await this.#transaction.all(
      sql`insert into previews (hash, doc_id, locale, maker_kind, maker_id, created_at, expires_at)
        values (${hash}, ${docId}, ${locale}, ${maker.kind}, ${maker.id}, ${createdAt}, ${expiresAt})`,
    )
  }

  async revokeAllOf(docId: string, locale: string): Promise<number> {
    const rows = await this.#transaction.all(
      sql`delete from previews where doc_id = ${docId} and locale = ${locale} returning hash`,
    )
    this.#transaction.credentialsRevoked()
    return rows.length
  }

  async removeExpired(now: string): Promise<void> {
    await this.#transaction.all(sql`delete from previews where expires_at <= ${now}`)
  }
}
