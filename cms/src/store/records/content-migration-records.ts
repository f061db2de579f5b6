import type { JsonObject } from '../../base/json.ts'
import type { DocId, Locale } from '../../model/terms/document-id.ts'
import { type Connection, Repository, type Transaction } from '../database/connection.ts'
import { columns, columnsOf, inserted, replaced, type Sql, sql } from '../database/sql.ts'
import { changed } from '../terms/changes.ts'

/** A content migration that has run on this database, or has begun to. */
export interface StoredMigration {
  readonly name: string
  /** A digest of its file; empty where it came from none. */
  readonly checksum: string
  readonly startedAt: string
  /** Null while it is not done. */
  readonly finishedAt: string | null
  /** How far it has come. */
  readonly progress: JsonObject
}

interface Row extends Omit<StoredMigration, 'progress'> {
  readonly progress: string
}

/** Some of the documents of a locale: of these types, after an id. */
interface Batch {
  readonly types: readonly string[]
  readonly locale: Locale
  readonly after: DocId
  readonly limit: number
}

const MIGRATION = columns<Row>('name', 'checksum', 'startedAt', 'finishedAt', 'progress')

/** Content migrations, and the documents that they go through, whatever the site declares. */
export class ContentMigrationRecords<Connected extends Connection> extends Repository<Connected> {
  /** Returns all migrations, by name. */
  async all(): Promise<StoredMigration[]> {
    const rows = await this.connection.all<Row>(sql`select ${MIGRATION} from content_migrations order by name`)
    return rows.map(toMigration)
  }

  async get(name: string): Promise<StoredMigration | null> {
    const row = await this.firstRow<Row>(sql`select ${MIGRATION} from content_migrations where name = ${name}`)
    return row && toMigration(row)
  }

  /** The locales that documents of these types are in; the empty one for types without locales. One statement. */
  async locales(types: readonly string[]): Promise<Locale[]> {
    const rows = await this.connection.all<{ locale: Locale }>(
      sql`select distinct d.locale from documents d where ${this.#isOf(sql`d.type`, types)} order by d.locale`,
    )
    return rows.map(({ locale }) => locale)
  }

  /** Counts the documents of these types, in each locale; one statement. */
  count(types: readonly string[]): Promise<number> {
    return this.countOf(
      sql`select count(*) as count from (
        select d.doc_id from documents d where ${this.#isOf(sql`d.type`, types)} group by d.doc_id, d.locale) of_types`,
    )
  }

  /** The ids of some documents, in their order; one statement. */
  async following({ types, locale, after, limit }: Batch): Promise<DocId[]> {
    // Only the index by ids may be used: then each batch begins where the last one ended.
    const isOfTypes = this.#isOf(sql`d.type || ''`, types)
    const rows = await this.connection.all<{ docId: DocId }>(
      sql`select distinct ${columnsOf('d', 'docId')} from documents d
        where d.doc_id > ${after} and d.locale || '' = ${locale} and ${isOfTypes} order by d.doc_id limit ${limit}`,
    )
    return rows.map(({ docId }) => docId)
  }

  /** Keeps other processes from running a migration until the transaction ends. Call it first. */
  async lock(this: ContentMigrationRecords<Transaction>): Promise<void> {
    // Where writers never wait inside a transaction, there is only one at a time.
    if (!this.dialect.hasWaited) return
    await this.connection.all(sql`lock table content_migrations in share row exclusive mode`)
  }

  async put(this: ContentMigrationRecords<Transaction>, migration: StoredMigration): Promise<void> {
    await this.connection.all(
      sql`insert into content_migrations ${inserted({ ...migration })}
        on conflict (name) do update set ${replaced('checksum', 'finishedAt', 'progress')}`,
    )
  }

  /** Gives at most `limit` versions of one type to another one; returns how many. */
  async renameVersions(
    this: ContentMigrationRecords<Transaction>,
    from: string,
    to: string,
    limit: number,
  ): Promise<number> {
    const rows = await this.connection.all<{ docId: DocId }>(
      sql`update versions set type = ${to} where id in (select v.id from versions v where v.type = ${from} limit ${limit})
        returning ${columns('docId')}`,
    )
    if (rows.length > 0) this.connection.changed({ names: rows.map(({ docId }) => changed.history(docId)) })
    return rows.length
  }

  #isOf(column: Sql, types: readonly string[]): Sql {
    return this.dialect.oneOf(column, [...types], 'text')
  }
}

function toMigration({ progress, ...row }: Row): StoredMigration {
  // `as`: only `put` writes it.
  return { ...row, progress: JSON.parse(progress) as JsonObject }
}
