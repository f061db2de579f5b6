import { type Connection, Repository, type Transaction } from '../database/connection.ts'
import { columns, inserted, sql } from '../database/sql.ts'

/** A link for one upload (§4.10), as stored: never its token, only the hash. */
interface UploadLink {
  readonly hash: string
  /** The caller who made it, as JSON: the file is uploaded in its name, with the rights that it has then. */
  readonly maker: string
  /** The name of the file. */
  readonly name: string
  readonly mostBytes: number
  readonly expiresAt: string
}

const LINK = columns<UploadLink>('hash', 'maker', 'name', 'mostBytes', 'expiresAt')

/** Links for uploads. */
export class UploadLinkRecords<Connected extends Connection> extends Repository<Connected> {
  /** Whether there is one that has not expired. */
  has(hash: string, now: string): Promise<boolean> {
    return this.hasRows(sql`select hash from upload_links where hash = ${hash} and expires_at > ${now}`)
  }

  async add(this: UploadLinkRecords<Transaction>, link: UploadLink): Promise<void> {
    await this.connection.all(sql`insert into upload_links ${inserted({ ...link })}`)
  }

  /** Returns a link once, to one of several callers. Null when it was taken, has expired or never was. */
  take(this: UploadLinkRecords<Transaction>, hash: string, now: string): Promise<UploadLink | null> {
    return this.firstRow<UploadLink>(
      sql`delete from upload_links where hash = ${hash} and expires_at > ${now} returning ${LINK}`,
    )
  }

  async removeExpired(this: UploadLinkRecords<Transaction>, now: string): Promise<void> {
    await this.connection.all(sql`delete from upload_links where expires_at <= ${now}`)
  }
}
