import { type Connection, Repository, type Transaction } from '../database/connection.ts'
import { columns, inserted, sql } from '../database/sql.ts'

/** A login token or a session as stored: never the secret itself, only its hash (SHA-256, hex). */
export interface Token {
  readonly hash: string
  readonly userId: string
  /** A token is sent in the `Authorization` header, a session in the cookie; neither is accepted as the other. */
  readonly kind: 'token' | 'session'
  /** Only a `complete` one authenticates. */
  readonly state: 'pending' | 'complete'
  readonly createdAt: string
  readonly expiresAt: string
}

const TOKEN = columns<Token>('hash', 'userId', 'kind', 'state', 'createdAt', 'expiresAt')

/** Login tokens and sessions. */
export class TokenRecords<Connected extends Connection> extends Repository<Connected> {
  /** A token in any state, even expired. */
  byHash(hash: string): Promise<Token | null> {
    return this.firstRow<Token>(sql`select ${TOKEN} from tokens where hash = ${hash}`)
  }

  async add(this: TokenRecords<Transaction>, token: Token): Promise<void> {
    await this.connection.all(sql`insert into tokens ${inserted({ ...token })}`)
  }

  /** Does nothing if it was revoked meanwhile. */
  async extend(this: TokenRecords<Transaction>, hash: string, expiresAt: string): Promise<void> {
    await this.connection.all(sql`update tokens set expires_at = ${expiresAt} where hash = ${hash}`)
  }

  async remove(this: TokenRecords<Transaction>, hash: string): Promise<void> {
    await this.connection.all(sql`delete from tokens where hash = ${hash}`)
    this.connection.credentialsRevoked()
  }

  /** Revokes all tokens, sessions and keys of a user. */
  async revokeAllOf(this: TokenRecords<Transaction>, userId: string, at: string): Promise<void> {
    await this.connection.all(sql`delete from tokens where user_id = ${userId}`)
    await this.connection.all(
      sql`update api_keys set revoked_at = ${at} where user_id = ${userId} and revoked_at is null`,
    )
    this.connection.credentialsRevoked()
  }

  /** Locks accounts until the transaction ends. */
  async lockAccounts(this: TokenRecords<Transaction>): Promise<void> {
    await this.connection.all(sql`select value from meta where name = 'accounts' ${this.dialect.forUpdate}`)
  }

  /**
   * A user's rights have changed, or webhooks: from the commit on, all processes look up credentials and webhooks
   * again.
   */
  roleChanged(this: TokenRecords<Transaction>): void {
    this.connection.credentialsRevoked()
  }

  async removeExpired(this: TokenRecords<Transaction>, now: string): Promise<void> {
    await this.connection.all(sql`delete from tokens where expires_at <= ${now}`)
  }
}
