import { randomBytes } from 'node:crypto'
import { type Connection, Repository, type Transaction } from '../database/connection.ts'
import { sql } from '../database/sql.ts'
import { changed } from '../terms/changes.ts'
import { currentSources } from '../terms/sources.ts'

/** Single values that must outlast a process, by name. What is made of them is cached until they change. */
export class SettingRecords<Connected extends Connection> extends Repository<Connected> {
  async get(name: string): Promise<string | null> {
    currentSources()?.note(changed.setting(name))
    const row = await this.firstRow<{ value: string }>(sql`select value from meta where name = ${storedName(name)}`)
    return row?.value ?? null
  }

  async set(this: SettingRecords<Transaction>, name: string, value: string): Promise<void> {
    await this.connection.send(
      sql`insert into meta (name, value) values (${storedName(name)}, ${value})
        on conflict (name) do update set value = excluded.value`,
    )
    this.connection.changed({ names: [changed.setting(name)] })
  }

  async remove(this: SettingRecords<Transaction>, name: string): Promise<void> {
    await this.connection.send(sql`delete from meta where name = ${storedName(name)}`)
    this.connection.changed({ names: [changed.setting(name)] })
  }

  /**
   * Claims work that only one process is to do, and only so often: true, and the setting becomes `now`, when it did not
   * exist or is not later than `before` (both ISO 8601).
   */
  async claim(this: SettingRecords<Transaction>, name: string, now: string, before: string): Promise<boolean> {
    const isClaimed = await this.hasRows(
      sql`insert into meta (name, value) values (${storedName(name)}, ${now})
        on conflict (name) do update set value = excluded.value where meta.value <= ${before} returning name`,
    )
    if (isClaimed) this.connection.changed({ names: [changed.setting(name)] })
    return isClaimed
  }
}

/** Settings share a table with the store's own values: the prefix keeps them apart. */
function storedName(name: string): string {
  return `mark:${name}`
}

const NAME = 'service'
const BYTES = 32

/** The random secret of a database, which signs and keys what only its own service may make. No backup has it. */
export class SecretRecords<Connected extends Connection> extends Repository<Connected> {
  /** Null until it is made. */
  async get(): Promise<Buffer | null> {
    const row = await this.firstRow<{ value: string }>(sql`select value from secrets where name = ${NAME}`)
    return row === null ? null : Buffer.from(row.value, 'base64')
  }

  /** Makes the secret, unless another process has made it meanwhile. */
  async make(this: SecretRecords<Transaction>): Promise<void> {
    const value = randomBytes(BYTES).toString('base64')
    await this.connection.all(
      sql`insert into secrets (name, value) values (${NAME}, ${value}) on conflict (name) do nothing`,
    )
  }
}
