import { type Connection, Repository, type Transaction } from '../database/connection.ts'
import { assigned, columns, sql } from '../database/sql.ts'

/** The failed attempts that are recorded under a key. Times in milliseconds. */
export interface Attempts {
  readonly key: string
  /** Failures since `since`. */
  readonly failures: number
  readonly since: number
  /** How many times in a row it was blocked, and until when it is. */
  readonly blocks: number
  readonly until: number
}

const ATTEMPTS = columns<Attempts>('key', 'failures', 'since', 'blocks', 'until')

/** Failed attempts to sign in, counted for all processes. */
export class ThrottleRecords<Connected extends Connection> extends Repository<Connected> {
  /** Returns the latest time until which one of these keys is blocked, in ms since 1970; 0 when none is known. */
  async blockedUntil(keys: readonly string[]): Promise<number> {
    const isOfThem = this.dialect.oneOf(sql`key`, [...new Set(keys)], 'text')
    const row = await this.firstRow<{ until: number | null }>(
      sql`select max(until) as until from throttle where ${isOfThem}`,
    )
    return Number(row?.until ?? 0)
  }

  /** The attempts recorded under each of these keys, locked until the transaction ends. */
  async lock(this: ThrottleRecords<Transaction>, keys: readonly string[]): Promise<Attempts[]> {
    // Always in the same order, which rules out deadlocks.
    const sorted = [...new Set(keys)].sort()
    const rows = sorted.map((key) => [key])
    await this.connection.all(
      sql`insert into throttle (key, failures, since, blocks, until) select r.key, 0, 0, 0, 0
        from ${this.dialect.table('r', { key: 'text' }, rows)} where true order by r.key on conflict do nothing`,
    )
    return this.connection.all<Attempts>(
      sql`select ${ATTEMPTS} from throttle where ${this.dialect.oneOf(sql`key`, sorted, 'text')}
        order by key ${this.dialect.forUpdate}`,
    )
  }

  async put(this: ThrottleRecords<Transaction>, { key, ...attempts }: Attempts): Promise<void> {
    await this.connection.all(sql`update throttle set ${assigned(attempts)} where key = ${key}`)
  }

  async remove(this: ThrottleRecords<Transaction>, key: string): Promise<void> {
    await this.connection.all(sql`delete from throttle where key = ${key}`)
  }

  /** Deletes records that are older than a time and no longer blocked at it. */
  async removeBefore(this: ThrottleRecords<Transaction>, time: number): Promise<void> {
    await this.connection.all(sql`delete from throttle where until < ${time} and since < ${time}`)
  }
}
