import { type Connection, Repository, type Transaction } from '../database/connection.ts'
import { inserted, sql } from '../database/sql.ts'
import { type Name, readNames, writeNames } from '../terms/changes.ts'

/** Names that a commit has changed, to be purged from a cache in front of the site. */
export interface Purge {
  readonly n: number
  /** Null for everything. */
  readonly names: readonly Name[] | null
  /** The cache was purged of them once, and will be once more. */
  readonly isRepeated: boolean
}

/** When the purge of a commit is due: clocks of processes differ. */
export const AT_ONCE = 0

/** A purge that is to be recorded: when it is due, in milliseconds since 1970. */
export interface NewPurge extends Omit<Purge, 'n'> {
  readonly due: number
}

interface PurgeRow {
  readonly n: number
  readonly names: string | null
  readonly isRepeated: number
}

/** Purges that have yet to be sent to the cache in front of the site, oldest first (§6.8). */
export class PurgeRecords<Connected extends Connection> extends Repository<Connected> {
  /** When the first one is due, in milliseconds since 1970; null when there is none. */
  async firstDue(): Promise<number | null> {
    const row = await this.firstRow<{ due: number | null }>(sql`select min(due) as due from purges`)
    return row?.due ?? null
  }

  /** How many commits wait for their first purge. */
  countWaiting(): Promise<number> {
    return this.countOf(sql`select count(*) as count from purges where is_repeated = 0`)
  }

  /** The oldest ones that are due. */
  async listDue(now: number, limit: number): Promise<Purge[]> {
    const rows = await this.connection.all<PurgeRow>(
      sql`select n, names, is_repeated as "isRepeated" from purges where due <= ${now} order by n limit ${limit}`,
    )
    return rows.map(({ n, names, isRepeated }) => ({
      n,
      names: names === null ? null : readNames(names),
      isRepeated: isRepeated === 1,
    }))
  }

  async add(this: PurgeRecords<Transaction>, { names, due, isRepeated }: NewPurge): Promise<void> {
    const row = { names: names && writeNames(names), due, isRepeated }
    await this.connection.send(sql`insert into purges ${inserted(row)}`)
  }

  async remove(this: PurgeRecords<Transaction>, purges: readonly Pick<Purge, 'n'>[]): Promise<void> {
    const numbers = purges.map(({ n }) => n)
    await this.connection.all(sql`delete from purges where ${this.dialect.oneOf(sql`n`, numbers, 'integer')}`)
  }

  async clear(this: PurgeRecords<Transaction>): Promise<void> {
    await this.connection.all(sql`delete from purges`)
  }

  /** Puts one purge of everything in the place of all that wait. */
  async merge(this: PurgeRecords<Transaction>): Promise<void> {
    await this.clear()
    await this.add({ names: null, due: AT_ONCE, isRepeated: false })
  }
}
