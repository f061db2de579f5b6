import type { DocId, Locale, Mode } from '../../model/terms/document-id.ts'
import { Repository, type Transaction } from '../database/connection.ts'
import { columns, quotedName, type Sql, sql } from '../database/sql.ts'
import type { DocumentWriter } from '../terms/document-writes.ts'
import type { LocaleWriter, OnProgress, Renamed, Renaming } from '../terms/locale-store.ts'
import type { VersionWriter } from '../terms/version-store.ts'
import { joinTrees, keptDocuments } from './locale-merge.ts'

/** How many copies are changed by one statement. */
const BATCH = 500
/** The tables that name a locale, without that of documents and without those that are made from documents. */
const TREELESS_TABLES = ['versions', 'former_urls', 'previews', 'proposals', 'schedules'].map(quotedName)
const TABLES = [...TREELESS_TABLES, quotedName('places')]

interface CopyRow {
  readonly n: number
  readonly docId: string
  readonly mode: Mode
}

/** How documents are changed in batches: all but these, with progress reported. */
interface Batches {
  readonly except: readonly DocId[]
  readonly onProgress: OnProgress
}

/** The writers of documents and versions in the same transaction. */
interface Writers {
  readonly documents: DocumentWriter
  readonly versions: VersionWriter
}

/** Changes whole locales, in one transaction, some hundred copies at a time. */
export class SqlLocaleWriter extends Repository<Transaction> implements LocaleWriter {
  readonly #documents: DocumentWriter
  readonly #versions: VersionWriter

  constructor(transaction: Transaction, { documents, versions }: Writers) {
    super(transaction)
    this.#documents = documents
    this.#versions = versions
  }

  async lock(): Promise<void> {
    // Where writers never wait inside a transaction, there is only one at a time.
    if (!this.dialect.hasWaited) return
    // In the same order in which moves of pages lock.
    await this.connection.all(sql`lock table places, documents in exclusive mode`)
  }

  async rename(renaming: Renaming, onProgress: OnProgress): Promise<Renamed> {
    await this.#giveWay(renaming)
    const kept = await keptDocuments(this.connection, renaming)
    const { from, to, madeByItself } = renaming
    const docIds = kept.map(({ docId }) => docId)
    const documents = await this.#inBatches(from, { except: docIds, onProgress }, (rows) =>
      this.#move(rows, to, madeByItself),
    )
    const isMoved = this.#isNone(docIds)
    await this.connection.all(
      sql`delete from former_urls where locale = ${from} and ${isMoved}
        and slug in (select t.slug from former_urls t where t.locale = ${to})`,
    )
    for (const table of TREELESS_TABLES) {
      await this.connection.all(sql`update ${table} set locale = ${to} where locale = ${from} and ${isMoved}`)
    }
    await this.connection.all(
      sql`delete from former_urls where locale = ${to} and slug in (
        select d.slug from documents d
          where d.slug_scope = '/' and d.locale = ${to} and d.mode = 'published' and d.archived = 0)`,
    )
    await joinTrees(this.connection, renaming, isMoved)
    this.connection.changed(null)
    return { documents, kept }
  }

  remove(locale: Locale, onProgress: OnProgress): Promise<number> {
    return this.#remove(locale, { except: [], onProgress }, TABLES)
  }

  /**
   * Deletes documents in the way. With `replace`, all of the target but those that the service made and the moved
   * locale lacks. Otherwise, of documents that the service made in both, the one that nobody has written; if neither
   * was, that of the moved locale.
   */
  async #giveWay({ from, to, madeByItself, replace }: Renaming): Promise<void> {
    const [here, there] = [await this.#made(from, madeByItself), await this.#made(to, madeByItself)]
    const namesOf = (made: ReadonlyMap<DocId, boolean>) => [...made.keys()]
    if (replace) {
      await this.#remove(
        to,
        { except: namesOf(there).filter((docId) => !here.has(docId)), onProgress: () => {} },
        TABLES,
      )
      return
    }
    const both = namesOf(here).filter((docId) => there.has(docId))
    const unwritten = both.filter((docId) => here.get(docId) === false)
    const replaced = both.filter((docId) => here.get(docId) === true && there.get(docId) === false)
    await this.#removeThese(from, unwritten, TABLES)
    // The moved page takes its position.
    await this.#removeThese(to, replaced, TREELESS_TABLES)
  }

  /** The documents among these that a locale has, and whether somebody has saved them since they were made. */
  async #made(locale: Locale, madeByItself: readonly DocId[]): Promise<Map<DocId, boolean>> {
    const isMade = this.dialect.oneOf(sql`doc_id`, madeByItself, 'text')
    const rows = await this.connection.all<{ docId: string; revision: number }>(
      sql`select ${columns('docId')}, max(revision) as revision from documents where locale = ${locale} and ${isMade} group by doc_id`,
    )
    return new Map(rows.map(({ docId, revision }) => [docId, revision > 1]))
  }

  async #remove(locale: Locale, { except, onProgress }: Batches, tables: readonly Sql[]): Promise<number> {
    const documents = await this.#inBatches(locale, { except, onProgress }, (rows) =>
      this.#documents.remove(rows.map((row) => ({ docId: row.docId, locale, mode: row.mode }))),
    )
    await this.#versions.removeLocale(locale, except)
    const isRemoved = this.#isNone(except)
    for (const table of tables) {
      await this.connection.all(sql`delete from ${table} where locale = ${locale} and ${isRemoved}`)
    }
    this.connection.changed(null)
    this.connection.credentialsRevoked()
    return documents
  }

  async #removeThese(locale: Locale, docIds: readonly DocId[], tables: readonly Sql[]): Promise<void> {
    const modes: readonly Mode[] = ['draft', 'published']
    await this.#documents.remove(docIds.flatMap((docId) => modes.map((mode) => ({ docId, locale, mode }))))
    for (const docId of docIds) await this.#versions.removeOf(docId, locale)
    const isRemoved = this.dialect.oneOf(sql`doc_id`, docIds, 'text')
    for (const table of tables) {
      await this.connection.all(sql`delete from ${table} where locale = ${locale} and ${isRemoved}`)
    }
  }

  #isNone(docIds: readonly DocId[]): Sql {
    return sql`not (${this.dialect.oneOf(sql`doc_id`, docIds, 'text')})`
  }

  /**
   * The index of lists goes by type, locale and mode; that of search is brought up to date in the background. What the
   * service itself has made keeps the revision by which one sees that nobody has written in it.
   */
  async #move(rows: readonly CopyRow[], to: Locale, madeByItself: readonly DocId[]): Promise<void> {
    const numbers = rows.map(({ n }) => n)
    const isMoved = (column: Sql) => this.dialect.oneOf(column, numbers, 'integer')
    const isMade = this.dialect.oneOf(sql`doc_id`, madeByItself, 'text')
    await this.connection.all(
      sql`update documents set locale = ${to}, search_stale = 1,
          revision = case when revision = 1 and ${isMade} then 1 else revision + 1 end
        where ${isMoved(sql`n`)}`,
    )
    const scope = sql`d.type || ':' || d.locale`
    for (const [table, ofCopy] of [
      [sql`entries`, scope],
      [sql`unique_values`, sql`${scope} || ':' || d.mode`],
    ]) {
      await this.connection.all(
        sql`update ${table} set scope = (select ${ofCopy} from documents d where d.n = ${table}.document)
          where ${isMoved(sql`document`)}`,
      )
    }
  }

  async #inBatches(
    locale: Locale,
    { except, onProgress }: Batches,
    change: (rows: readonly CopyRow[]) => Promise<void>,
  ): Promise<number> {
    const isChanged = this.#isNone(except)
    const counted = await this.firstRow<{ copies: number; documents: number }>(
      sql`select count(*) as copies, count(distinct doc_id) as documents
        from documents where locale = ${locale} and ${isChanged}`,
    )
    const { copies, documents } = counted ?? { copies: 0, documents: 0 }
    let [last, done] = [0, 0]
    for (;;) {
      const rows = await this.connection.all<CopyRow>(
        sql`select ${columns('n', 'docId', 'mode')} from documents where locale = ${locale} and n > ${last} and ${isChanged}
          order by n limit ${BATCH}`,
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
