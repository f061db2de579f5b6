import type { DocId, Locale } from '../../model/terms/document-id.ts'
import { type Connection, Repository, type Transaction } from '../database/connection.ts'
import { columns, inserted, sql } from '../database/sql.ts'

/** A token that shows one draft to anyone who has it, as stored (§4.2b): never the secret itself, only its hash. */
export interface Preview {
  readonly hash: string
  readonly docId: DocId
  readonly locale: Locale
  /** The user or key that made it: it shows no more than they may see. */
  readonly maker: { readonly kind: 'user' | 'key'; readonly id: string }
  readonly createdAt: string
  readonly expiresAt: string
}

interface Row extends Omit<Preview, 'maker'> {
  readonly makerKind: Preview['maker']['kind']
  readonly makerId: string
}

const PREVIEW = columns<Row>('hash', 'docId', 'locale', 'makerKind', 'makerId', 'createdAt', 'expiresAt')

/** Previews. */
export class PreviewRecords<Connected extends Connection> extends Repository<Connected> {
  /** Expired ones too. */
  async byHash(hash: string): Promise<Preview | null> {
    const row = await this.firstRow<Row>(sql`select ${PREVIEW} from previews where hash = ${hash}`)
    if (row === null) return null
    const { makerKind: kind, makerId: id, ...preview } = row
    return { ...preview, maker: { kind, id } }
  }

  async add(this: PreviewRecords<Transaction>, { maker, ...preview }: Preview): Promise<void> {
    const row = { ...preview, makerKind: maker.kind, makerId: maker.id }
    await this.connection.all(sql`insert into previews ${inserted(row)}`)
  }

  /** Revokes all previews of a document in one locale; returns how many there were. */
  async revokeAllOf(this: PreviewRecords<Transaction>, docId: DocId, locale: Locale): Promise<number> {
    const rows = await this.connection.all(
      sql`delete from previews where doc_id = ${docId} and locale = ${locale} returning hash`,
    )
    this.connection.credentialsRevoked()
    return rows.length
  }

  async removeExpired(this: PreviewRecords<Transaction>, now: string): Promise<void> {
    await this.connection.all(sql`delete from previews where expires_at <= ${now}`)
  }
}
