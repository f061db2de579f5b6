import type { Token, TokenReader, TokenWriter } from '../contract/store.ts'
import type { Transaction } from '../database/database.ts'
import { type Sql, sql } from '../database/sql.ts'
import { type Connection, fixed } from '../database/statement.ts'

interface TokenRow {
  readonly hash: string
  readonly user_id: string
  readonly kind: Token['kind']
  readonly state: Token['state']
  readonly created_at: string
  readonly expires_at: string
}

const BY_HASH = fixed(
  ({ hash }: { hash: string }): Sql<TokenRow> =>
    sql`select t.hash, t.user_id, t.kind, t.state, t.created_at, t.expires_at from tokens t where t.hash = ${hash}`,
)

/** Reads login tokens and sessions. */
export class SqlTokenReader implements TokenReader {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  async byHash(hash: string): Promise<Token | null> {
    const [row] = await this.#connection.fixed(BY_HASH, { hash })
    return row === undefined ? null : toToken(row)
  }
}

/** Adds and revokes login tokens and sessions. */
export class SqlTokenWriter implements TokenWriter {
  readonly #transaction: Transaction

  constructor(transaction: Transaction) {
    this.#transaction = transaction
  }

  async add({ hash, userId, kind, state, createdAt, expiresAt }: Token): Promise<void> {
    await this.#transaction.all(
      sql`insert into tokens (hash, user_id, kind, state, created_at, expires_at)
        values (${hash}, ${userId}, ${kind}, ${state}, ${createdAt}, ${expiresAt})`,
    )
  }

  async extend(hash: string, expiresAt: string): Promise<void> {
    await this.#transaction.all(sql`update tokens set expires_at = ${expiresAt} where hash = ${hash}`)
  }

  async remove(hash: string): Promise<void> {
    await this.#transaction.all(sql`delete from tokens where hash = ${hash}`)
    this.#transaction.credentialsRevoked()
  }

  async revokeAllOf(userId: string, at: string): Promise<void> {
    await this.#transaction.all(sql`delete from tokens where user_id = ${userId}`)
    await this.#transaction.all(
      sql`update api_keys set revoked_at = ${at} where user_id = ${userId} and revoked_at is null`,
    )
    this.#transaction.credentialsRevoked()
  }

  async lockAccounts(): Promise<void> {
    await this.#transaction.all(
      sql`select value from meta where name = 'accounts' ${this.#transaction.dialect.forUpdate}`,
    )
  }

  roleChanged(): void {
    this.#transaction.credentialsRevoked()
  }

  async removeExpired(now: string): Promise<void> {
    await this.#transaction.all(sql`delete from tokens where expires_at <= ${now}`)
  }
}

function toToken(row: TokenRow): Token {
  const { hash, kind, state } = row
  return { hash, userId: row.user_id, kind, state, createdAt: row.created_at, expiresAt: row.expires_at }
}
