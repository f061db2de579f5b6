import type { Role } from '../../model/terms/roles.ts'
import { type Connection, Repository, type Transaction } from '../database/connection.ts'
import { columns, inserted, sql } from '../database/sql.ts'

/** An API key as stored: never the key itself, only its hash. */
export interface ApiKey {
  readonly id: string
  readonly name: string
  readonly role: Role
  /** Every save with it is marked as AI-written. */
  readonly ai: boolean
  /** Its writes go to the draft, and it publishes nothing. */
  readonly draftsOnly: boolean
  readonly createdAt: string
  /** ISO 8601; null: never. */
  readonly expiresAt: string | null
  readonly revokedAt: string | null
  /** The user it belongs to, if any: it never exceeds that user's role, and is revoked with them. */
  readonly userId?: string
}

interface Row extends Omit<ApiKey, 'ai' | 'draftsOnly' | 'userId'> {
  readonly ai: number
  readonly draftsOnly: number
  readonly userId: string | null
}

const KEY = columns<Row>('id', 'name', 'role', 'ai', 'draftsOnly', 'createdAt', 'expiresAt', 'revokedAt', 'userId')

/** API keys. */
export class KeyRecords<Connected extends Connection> extends Repository<Connected> {
  /** The key with this hash (SHA-256, hex), revoked and expired ones too. */
  async byHash(hash: string): Promise<ApiKey | null> {
    const row = await this.firstRow<Row>(sql`select ${KEY} from api_keys where hash = ${hash}`)
    return row && toKey(row)
  }

  /** The key with this id, revoked and expired ones too. */
  async byId(id: string): Promise<ApiKey | null> {
    const row = await this.firstRow<Row>(sql`select ${KEY} from api_keys where id = ${id}`)
    return row && toKey(row)
  }

  async list(): Promise<ApiKey[]> {
    const rows = await this.connection.all<Row>(sql`select ${KEY} from api_keys order by created_at, id`)
    return rows.map(toKey)
  }

  async add(this: KeyRecords<Transaction>, key: ApiKey, hash: string): Promise<void> {
    await this.connection.all(sql`insert into api_keys ${inserted({ ...key, userId: key.userId ?? null, hash })}`)
  }

  /** False when there is no such key, or it was revoked before. */
  async revoke(this: KeyRecords<Transaction>, id: string, at: string): Promise<boolean> {
    this.connection.credentialsRevoked()
    return this.hasRows(
      sql`update api_keys set revoked_at = ${at} where id = ${id} and revoked_at is null returning id`,
    )
  }
}

function toKey({ userId, ...row }: Row): ApiKey {
  const user = userId === null ? {} : { userId }
  return { ...row, ai: row.ai === 1, draftsOnly: row.draftsOnly === 1, ...user }
}
