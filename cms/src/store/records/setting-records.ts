import { changed } from '../contract/changes.ts'
import type { SettingReader, SettingWriter } from '../contract/store.ts'
import type { Transaction } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import type { Connection } from '../database/statement.ts'

/** Reads settings. */
export class SqlSettingReader implements SettingReader {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  async get(name: string): Promise<string | null> {
    const [row] = await this.#connection.all<{ value: string }>(sql`select value from meta where name = ${keyOf(name)}`)
    return row?.value ?? null
  }
}

/** Changes settings, in one transaction. */
export class SqlSettingWriter implements SettingWriter {
  readonly #transaction: Transaction

  constructor(transaction: Transaction) {
    this.#transaction = transaction
  }

  async set(name: string, value: string): Promise<void> {
    await this.#transaction.send(
      sql`insert into meta (name, value) values (${keyOf(name)}, ${value})
        on conflict (name) do update set value = excluded.value`,
    )
    this.#changed(name)
  }

  async remove(name: string): Promise<void> {
    await this.#transaction.send(sql`delete from meta where name = ${keyOf(name)}`)
    this.#changed(name)
  }

  async claim(name: string, now: string, before: string): Promise<boolean> {
    const rows = await this.#transaction.all(
      sql`insert into meta (name, value) values (${keyOf(name)}, ${now})
        on conflict (name) do update set value = excluded.value where meta.value <= ${before} returning name`,
    )
    if (rows.length > 0) this.#changed(name)
    return rows.length > 0
  }

  #changed(name: string): void {
    this.#transaction.changed({ names: [changed.setting(name)] })
  }
}

/** Settings share a table with the store's own notes: the prefix keeps them apart. */
function keyOf(name: string): string {
  return `mark:${name}`
}
