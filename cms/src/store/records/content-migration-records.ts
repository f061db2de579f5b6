import type { JsonObject } from '../../base/json.ts'
import type { DocId, Locale } from '../../model/terms/document.ts'
import { changed } from '../contract/changes.ts'
import type {
  ContentMigrationReader,
  ContentMigrationWriter,
  MigratedBatch,
  StoredMigration,
} from '../contract/store.ts'
import type { Transaction } from '../database/database.ts'
import { type Sql, sql } from '../database/sql.ts'
import type { Connection } from '../database/statement.ts'

interface MigrationRow {
  readonly name: string
  readonly checksum: string
  readonly started_at: string
  readonly finished_at: string | null
  readonly progress: string
}

const COLUMNS = sql`name, checksum, started_at, finished_at, progress`

/** Reads content migrations, and what they go through. */
export class SqlContentMigrationReader implements ContentMigrationReader {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  async all(): Promise<StoredMigration[]> {
    const rows = await this.#connection.all<MigrationRow>(sql`select ${COLUMNS} from content_migrations order by name`)
    return rows.map(toMigration)
  }

  async get(name: string): Promise<StoredMigration | null> {
    const [row] = await this.#connection.all<MigrationRow>(
      sql`select ${COLUMNS} from content_migrations where name = ${name}`,
    )
    return row === undefined ? null : toMigration(row)
  }

  async locales(types: readonly string[]): Promise<Locale[]> {
    const rows = await this.#connection.all<{ locale: Locale }>(
      sql`select distinct d.locale from documents d where ${this.#isOf(sql`d.type`, types)} order by d.locale`,
    )
    return rows.map(({ locale }) => locale)
  }

  async count(types: readonly string[]): Promise<number> {
    const [row] = await this.#connection.all<{ count: number }>(
      sql`select cast(count(*) as integer) as count from (
        select d.doc_id from documents d where ${this.#isOf(sql`d.type`, types)} group by d.doc_id, d.locale) of_types`,
    )
    return row?.count ?? 0
  }

  async following({ types, locale, after, limit }: MigratedBatch): Promise<DocId[]> {
    // Only the index by ids may be used: then each batch begins where the last one ended.
    const isOfTypes = this.#isOf(sql`d.type || ''`, types)
    const rows = await this.#connection.all<{ doc_id: DocId }>(
      sql`select distinct d.doc_id from documents d
        where d.doc_id > ${after} and d.locale || '' = ${locale} and ${isOfTypes} order by d.doc_id limit ${limit}`,
    )
    return rows.map(({ doc_id: docId }) => docId)
  }

  #isOf(column: Sql, types: readonly string[]): Sql {
    return this.#connection.dialect.oneOf(column, [...types], 'text')
  }
}

/** Notes content migrations, in one transaction. */
export class SqlContentMigrationWriter implements ContentMigrationWriter {
  readonly #transaction: Transaction

  constructor(transaction: Transaction) {
    this.#transaction = transaction
  }

  async lock(): Promise<void> {
    // Where writers never wait inside a transaction, there is only one at a time.
    if (!this.#transaction.dialect.hasWaited) return
    await this.#transaction.all(sql`lock table content_migrations in share row exclusive mode`)
  }

  async put({ name, checksum, startedAt, finishedAt, progress }: StoredMigration): Promise<void> {
    await this.#transaction.all(
      sql`insert into content_migrations (${COLUMNS})
        values (${name}, ${checksum}, ${startedAt}, ${finishedAt}, ${JSON.stringify(progress)})
        on conflict (name) do update set checksum = excluded.checksum, finished_at = excluded.finished_at,
          progress = excluded.progress`,
    )
  }

  async renameVersions(from: string, to: string, limit: number): Promise<number> {
    const rows = await this.#transaction.all<{ doc_id: DocId }>(
      sql`update versions set type = ${to} where id in (select v.id from versions v where v.type = ${from} limit ${limit})
        returning doc_id`,
    )
    if (rows.length > 0) this.#transaction.changed({ names: rows.map((row) => changed.history(row.doc_id)) })
    return rows.length
  }
}

function toMigration({ name, checksum, started_at, finished_at, progress }: MigrationRow): StoredMigration {
  // `as`: only `put` writes it.
  const parsed = JSON.parse(progress) as JsonObject
  return { name, checksum, startedAt: started_at, finishedAt: finished_at, progress: parsed }
}
