import { type Connection, Repository, type Transaction } from '../database/connection.ts'
import { inserted, sql } from '../database/sql.ts'

/** A clipboard on its way to another host (§4.5), as stored: never its token, only the hash. */
interface Clipboard {
  readonly hash: string
  /** Its owner, so that nobody stores many. */
  readonly maker: string
  readonly content: string
  readonly createdAt: string
  readonly expiresAt: string
}

/** Clipboards on their way to another host. */
export class ClipboardRecords<Connected extends Connection> extends Repository<Connected> {
  /** Whether there is one that has not expired. */
  has(hash: string, now: string): Promise<boolean> {
    return this.hasRows(sql`select hash from clipboards where hash = ${hash} and expires_at > ${now}`)
  }

  /** Lets each of several transactions that add clipboards wait for the one before it. Call it first. */
  lock(this: ClipboardRecords<Transaction>): Promise<void> {
    return this.waitForOthers('clipboards')
  }

  async add(this: ClipboardRecords<Transaction>, clipboard: Clipboard): Promise<void> {
    await this.connection.all(sql`insert into clipboards ${inserted({ ...clipboard })}`)
  }

  /** Returns the content once, to one of several callers. Null when it was taken, has expired or never was. */
  async take(this: ClipboardRecords<Transaction>, hash: string, now: string): Promise<string | null> {
    const row = await this.firstRow<{ content: string }>(
      sql`delete from clipboards where hash = ${hash} and expires_at > ${now} returning content`,
    )
    return row?.content ?? null
  }

  /** Removes what has expired, and of this maker all but the newest. */
  async removeOld(this: ClipboardRecords<Transaction>, maker: string, keep: number, now: string): Promise<void> {
    await this.connection.all(sql`delete from clipboards where expires_at <= ${now} or (maker = ${maker}
      and hash not in (select hash from clipboards where maker = ${maker} order by created_at desc, hash limit ${keep}))`)
  }

  async removeExpired(this: ClipboardRecords<Transaction>, now: string): Promise<void> {
    await this.connection.all(sql`delete from clipboards where expires_at <= ${now}`)
  }
}
