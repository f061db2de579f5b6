import type { ApiKey, KeyReader, KeyWriter } from '../contract/store.ts'
import type { Transaction } from '../database/database.ts'
import { type Sql, sql } from '../database/sql.ts'
import { type Connection, fixed } from '../database/statement.ts'
import type { KeyRow } from '../database/tables.ts'

const KEY = sql`k.id, k.name, k.role, k.ai, k.drafts_only, k.created_at, k.expires_at, k.revoked_at, k.user_id`

const BY_HASH = fixed(
  ({ hash }: { hash: string }): Sql<KeyRow> => sql`select ${KEY} from api_keys k where k.hash = ${hash}`,
)

const BY_ID = fixed(({ id }: { id: string }): Sql<KeyRow> => sql`select ${KEY} from api_keys k where k.id = ${id}`)

/** Reads API keys. */
export class SqlKeyReader implements KeyReader {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  async byHash(hash: string): Promise<ApiKey | null> {
    const [row] = await this.#connection.fixed(BY_HASH, { hash })
    return row === undefined ? null : toKey(row)
  }

  async byId(id: string): Promise<ApiKey | null> {
    const [row] = await this.#connection.fixed(BY_ID, { id })
    return row === undefined ? null : toKey(row)
  }

  async list(): Promise<ApiKey[]> {
    const rows = await this.#connection.all<KeyRow>(sql`select ${KEY} from api_keys k order by k.created_at, k.id`)
    return rows.map(toKey)
  }
}

/** Adds and revokes API keys. */
export class SqlKeyWriter implements KeyWriter {
  readonly #transaction: Transaction

  constructor(transaction: Transaction) {
    this.#transaction = transaction
  }

  async add(key: ApiKey, hash: string): Promise<void> {
    await this.#transaction.all(
      sql`insert into api_keys (id, name, role, ai, drafts_only, hash, created_at, expires_at, revoked_at, user_id)
        values (${key.id}, ${key.name}, ${key.role}, ${key.ai ? 1 : 0},
          ${key.draftsOnly ? 1 : 0}, ${hash}, ${key.createdAt}, ${key.expiresAt},
          ${key.revokedAt}, ${key.userId ?? null})`,
    )
  }

  async revoke(id: string, at: string): Promise<boolean> {
    const rows = await this.#transaction.all(
      sql`update api_keys set revoked_at = ${at} where id = ${id} and revoked_at is null returning id`,
    )
    this.#transaction.credentialsRevoked()
    return rows.length > 0
  }
}

function toKey(row: KeyRow): ApiKey {
  const { id, name, role } = row
  const { created_at: createdAt, expires_at: expiresAt, revoked_at: revokedAt } = row
  const user = row.user_id === null ? {} : { userId: row.user_id }
  const isAi = row.ai === 1
  return { id, name, role, ai: isAi, draftsOnly: row.drafts_only === 1, createdAt, expiresAt, revokedAt, ...user }
}
