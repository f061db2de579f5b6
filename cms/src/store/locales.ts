import { foldText } from '../base/text.ts'
import type { DocId, Locale, Mode } from '../model/document.ts'
import type { Transaction } from './database.ts'
import { quotedName, type Sql, sql } from './sql.ts'
import type { Connection } from './statement.ts'
import type {
  DocumentWriter,
  LocaleCount,
  LocaleReader,
  LocaleSlug,
  LocaleWriter,
  OnProgress,
  VersionWriter,
} from './store.ts'

/** How many copies are changed by one statement. */
const BATCH = 500
/** The tables that name a locale beside the documents, without those that are made from documents. */
const TABLES = ['versions', 'places', 'former_urls', 'previews'].map(quotedName)

/** Reads what is in which locale. */
export class SqlLocaleReader implements LocaleReader {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  others(known: readonly Locale[]): Promise<LocaleCount[]> {
    // What has no locales has an empty one.
    return this.#connection.all<LocaleCount>(
      sql`select d.locale, cast(count(distinct d.doc_id) as integer) as documents from documents d
        where not (${this.#connection.dialect.oneOf(sql`d.locale`, ['', ...known], 'text')})
        group by d.locale order by d.locale`,
    )
  }

  pagesAt(slugs: readonly LocaleSlug[]): Promise<LocaleSlug[]> {
    const { dialect } = this.#connection
    const cells = slugs.map(({ locale, slug }) => [locale, foldText(slug)])
    const pages = (condition: Sql) =>
      sql`select d.locale as locale, d.slug as slug from ${dialect.table('r', { locale: 'text', slug: 'text' }, cells)}
        ${dialect.joinInOrder} documents d on d.slug_scope = '/' and d.locale = r.locale
        and d.mode in ('draft', 'published') and d.archived = 0 and ${condition}`
    return this.#connection.all<LocaleSlug>(
      sql`${pages(sql`d.slug_folded = r.slug`)} union ${pages(
        sql`d.slug_folded > r.slug || '/' and d.slug_folded < r.slug || '0'`,
      )} order by locale, slug limit 100`,
    )
  }

  async countWritten(locale: Locale, madeByItself: readonly DocId[]): Promise<number> {
    const isMade = this.#connection.dialect.oneOf(sql`d.doc_id`, madeByItself, 'text')
    const [row] = await this.#connection.all<{ count: number }>(
      sql`select cast(count(distinct d.doc_id) as integer) as count from documents d
        where d.locale = ${locale} and not (d.revision = 1 and ${isMade})`,
    )
    return row?.count ?? 0
  }
}

interface CopyRow {
  readonly n: number
  readonly doc_id: string
  readonly mode: Mode
}

/** What removes documents and versions, in the same transaction. */
interface Writers {
  readonly documents: DocumentWriter
  readonly versions: VersionWriter
}

/** Changes whole locales, in one transaction, some hundred copies at a time. */
export class SqlLocaleWriter implements LocaleWriter {
  readonly #transaction: Transaction
  readonly #documents: DocumentWriter
  readonly #versions: VersionWriter

  constructor(transaction: Transaction, { documents, versions }: Writers) {
    this.#transaction = transaction
    this.#documents = documents
    this.#versions = versions
  }

  async rename(from: Locale, to: Locale, onProgress: OnProgress): Promise<number> {
    const documents = await this.#inBatches(from, onProgress, (rows) => this.#move(rows, to))
    for (const table of TABLES) {
      await this.#transaction.all(sql`update ${table} set locale = ${to} where locale = ${from}`)
    }
    this.#transaction.documentsChanged()
    return documents
  }

  async remove(locale: Locale, onProgress: OnProgress): Promise<number> {
    const documents = await this.#inBatches(locale, onProgress, (rows) =>
      this.#documents.remove(rows.map((row) => ({ docId: row.doc_id, locale, mode: row.mode }))),
    )
    await this.#versions.removeLocale(locale)
    for (const table of TABLES) await this.#transaction.all(sql`delete from ${table} where locale = ${locale}`)
    this.#transaction.documentsChanged()
    this.#transaction.credentialsRevoked()
    return documents
  }

  /** The index of lists goes by type, locale and mode; that of search is brought up to date in the background. */
  async #move(rows: readonly CopyRow[], to: Locale): Promise<void> {
    const numbers = rows.map(({ n }) => n)
    const isMoved = (column: Sql) => this.#transaction.dialect.oneOf(column, numbers, 'integer')
    await this.#transaction.all(
      sql`update documents set locale = ${to}, search_stale = 1, revision = revision + 1 where ${isMoved(sql`n`)}`,
    )
    for (const table of [sql`entries`, sql`unique_values`]) {
      await this.#transaction.all(
        sql`update ${table} set scope = (
            select d.type || ':' || d.locale || ':' || d.mode from documents d where d.n = ${table}.document)
          where ${isMoved(sql`document`)}`,
      )
    }
  }

  async #inBatches(
    locale: Locale,
    onProgress: OnProgress,
    change: (rows: readonly CopyRow[]) => Promise<void>,
  ): Promise<number> {
    const [counted] = await this.#transaction.all<{ copies: number; documents: number }>(
      sql`select cast(count(*) as integer) as copies, cast(count(distinct doc_id) as integer) as documents
        from documents where locale = ${locale}`,
    )
    const { copies, documents } = counted ?? { copies: 0, documents: 0 }
    let [last, done] = [0, 0]
    for (;;) {
      const rows = await this.#transaction.all<CopyRow>(
        sql`select n, doc_id, mode from documents where locale = ${locale} and n > ${last} order by n limit ${BATCH}`,
      )
      const row = rows.at(-1)
      if (row === undefined) return documents
      await change(rows)
      last = row.n
      done += rows.length
      onProgress(done, copies)
    }
  }
}
