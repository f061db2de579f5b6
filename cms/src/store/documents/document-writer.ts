import { once } from '../../base/lazy.ts'
import type { IndexRow } from '../../model/field-type/value-terms.ts'
import type { OpenCopies, OpenDocument } from '../../model/terms/document.ts'
import type { DocId, DocumentId, Locale, Mode } from '../../model/terms/document-id.ts'
import {
  announcementOf,
  announcementOfIndexed,
  announcementOfStored,
  COPY,
  INDEX_ROW,
  markTitleReaders,
  retitled,
  type StoredCopy,
  withIndexRows,
} from '../changes/announced-copies.ts'
import { Repository, type Transaction } from '../database/connection.ts'
import { changedColumns, sameId, toCells, WRITTEN } from '../database/rows.ts'
import { columns, joined, quotedName, type Sql, sql } from '../database/sql.ts'
import type { ContentPosition } from '../database/stored-content.ts'
import { SearchIndexWriter } from '../lists/search-index-writer.ts'
import { addSpellings } from '../lists/spellings.ts'
import {
  type DocumentWriter,
  type IndexedDocument,
  type Put,
  type SearchWords,
  SlugTaken,
  type TakenValue,
} from '../terms/document-writes.ts'
import type { StoredForm } from '../terms/stored-form.ts'
import type { ContentWriter, NewContent } from './content-writer.ts'
import { indexedOtherwise } from './index-check.ts'
import { IndexRowWriter, indexRowChanges, UniqueValueWriter } from './index-writers.ts'
import { COPIES_TO_LOCK, copiesOfManySql, type LockedRow, toCopies } from './locked-copies.ts'

const COLUMNS_SQL = joined(WRITTEN.map(quotedName))
const WRITTEN_SQL = replacedBy(WRITTEN)
/** Search is affected only when the content changes. */
const STALE_SQL = sql`search_stale = case when documents.content = excluded.content then documents.search_stale else 1 end`

/** Sets the columns that these saves change. */
function changesSql(puts: readonly Put[]): Sql {
  const saves = puts.flatMap(({ document, before }) => (before === null ? [] : [{ document, before: before.document }]))
  const changed = saves.length === puts.length ? changedColumns(saves) : null
  return changed === null ? WRITTEN_SQL : joined([replacedBy(changed), STALE_SQL])
}

function replacedBy(names: readonly string[]): Sql {
  return joined(names.map((name) => sql`${quotedName(name)} = excluded.${quotedName(name)}`))
}

/** Identity and row number of what was written. */
interface WrittenRow {
  readonly n: number
  readonly docId: string
  readonly locale: string
  readonly mode: Mode
}

const WRITTEN_ROW = columns<WrittenRow>('n', 'docId', 'locale', 'mode')

/** Changes documents, in one transaction. */
export class SqlDocumentWriter extends Repository<Transaction> implements DocumentWriter {
  readonly #form: StoredForm
  readonly #contents: ContentWriter
  readonly #indexRows: IndexRowWriter
  readonly #uniqueValues: UniqueValueWriter
  /** Where the contents of copies are that were locked or written here, whatever object their fields are in by now. */
  readonly #stored = new Map<string, ContentPosition>()
  readonly #searchIndex = once(() => new SearchIndexWriter(this.connection))

  constructor(transaction: Transaction, form: StoredForm, contents: ContentWriter) {
    super(transaction)
    this.#form = form
    this.#contents = contents
    this.#indexRows = new IndexRowWriter(transaction)
    this.#uniqueValues = new UniqueValueWriter(transaction)
  }

  async lockCopies(docId: DocId, locale: Locale): Promise<OpenCopies> {
    const rows = await this.#lock(
      () => this.connection.fixed(COPIES_TO_LOCK, { docId, locale }),
      locale,
      (rows) => rows.length === 1,
    )
    return this.#toCopies(rows)
  }

  async lockMany(docIds: readonly DocId[], locale: Locale): Promise<Map<DocId, OpenCopies>> {
    const byDocument = (rows: readonly LockedRow[]) => Map.groupBy(rows, ({ docId }) => docId)
    const lock = () => this.connection.all(copiesOfManySql(docIds, locale, this.dialect))
    const rows = await this.#lock(lock, locale, (rows) =>
      [...byDocument(rows).values()].some(({ length }) => length === 1),
    )
    const found = byDocument(rows)
    return new Map(docIds.map((docId) => [docId, this.#toCopies(found.get(docId) ?? [])]))
  }

  /**
   * Changes by others while this waited show only to a statement begun afterwards: a copy that was added to one
   * that is alone, and the body of one that was saved.
   */
  async #lock(
    lock: () => Promise<LockedRow[]>,
    locale: Locale,
    isAnyAlone: (rows: readonly LockedRow[]) => boolean,
  ): Promise<LockedRow[]> {
    const rows = await lock()
    if (!this.dialect.hasWaited) return rows
    const isMissing = (locale !== '' && isAnyAlone(rows)) || rows.some(({ body }) => body === null)
    return isMissing ? lock() : rows
  }

  #toCopies(rows: readonly LockedRow[]): OpenCopies {
    const copies = toCopies(rows, this.#form)
    for (const { docId, mode, content: n, bytes, recorded } of rows) {
      const document = copies[mode]
      if (document === null) continue
      const position = { docId, n, bytes, isRecorded: Boolean(recorded) }
      this.#contents.note(document.fields, position)
      this.#stored.set(keyOf(document.id), position)
    }
    return copies
  }

  async insert(puts: readonly Put[]): Promise<boolean> {
    return (await this.insertMany(puts)).size === 0
  }

  async insertMany(puts: readonly Put[]): Promise<ReadonlySet<DocId>> {
    const contents = await this.#putContents(puts)
    const rows = await this.connection.all<WrittenRow>(
      sql`${insertSql(puts, contents)} on conflict do nothing returning ${WRITTEN_ROW}`,
    )
    const written = new Set(rows.map(({ docId, mode }) => `${docId}:${mode}`))
    const isMissing = ({ document: { id } }: Put) => !written.has(`${id.docId}:${id.mode}`)
    const taken = new Set(puts.filter(isMissing).map(({ document }) => document.id.docId))
    const numbers = rows.filter(({ docId }) => taken.has(docId)).map(({ n }) => n)
    if (numbers.length > 0) {
      await this.connection.send(sql`delete from documents where ${this.dialect.oneOf(sql`n`, numbers, 'integer')}`)
    }
    if (numbers.length === rows.length) return taken
    await this.#writeIndexRows(
      puts.filter(({ document }) => !taken.has(document.id.docId)),
      rows,
    )
    return taken
  }

  async put(puts: readonly Put[]): Promise<void> {
    if (puts.length === 0) return
    const contents = await this.#putContents(puts)
    const upsert = sql<WrittenRow>`${insertSql(puts, contents)}
      on conflict (doc_id, locale, mode) do update set ${changesSql(puts)} returning ${WRITTEN_ROW}`
    const rows = await this.connection.all(upsert).catch((error) => {
      throw this.dialect.isDuplicate(error) ? new SlugTaken('Another document has this slug.') : error
    })
    await this.#writeIndexRows(puts, rows)
    await this.#dropReplaced(puts, contents)
  }

  #putContents(puts: readonly Put[]): Promise<readonly ContentPosition[]> {
    return this.#contents.put(puts.map(({ document }) => contentOf(document)))
  }

  /** Deletes the former contents of copies, unless versions have them. */
  async #dropReplaced(puts: readonly Put[], contents: readonly ContentPosition[]): Promise<void> {
    const stored = new Set(contents.map(({ n }) => n))
    const replaced = puts.flatMap(({ document, before }) => {
      const position =
        before && (this.#stored.get(keyOf(document.id)) ?? this.#contents.positionOf(contentOf(before.document)))
      return position && !position.isRecorded && !stored.has(position.n) ? [position.n] : []
    })
    for (const [index, { document }] of puts.entries()) {
      const position = contents[index]
      if (position) this.#stored.set(keyOf(document.id), position)
    }
    if (replaced.length > 0) await this.#contents.dropUnused([...new Set(replaced)])
  }

  async remove(ids: readonly DocumentId[]): Promise<void> {
    if (ids.length === 0) return
    const cells = ids.map(({ docId, locale, mode }) => [docId, locale, mode])
    const table = this.dialect.table('r', { doc_id: 'text', locale: 'text', mode: 'text' }, cells)
    const rows = await this.connection.all<Omit<StoredCopy, 'indexRows'> & { readonly content: number }>(
      sql`delete from documents where (doc_id, locale, mode) in (select r.doc_id, r.locale, r.mode from ${table})
        returning ${COPY}, content`,
    )
    if (rows.length === 0) return
    const numbers = rows.map(({ n }) => n)
    await this.#uniqueValues.remove(numbers)
    const indexRows = await this.connection.all<IndexRow & { document: number }>(
      sql`delete from entries where ${this.dialect.oneOf(sql`document`, numbers, 'integer')} returning ${INDEX_ROW}`,
    )
    await this.#searchIndex().remove(numbers)
    await this.#contents.dropUnused([...new Set(rows.map(({ content }) => content))])
    this.connection.changed(announcementOfStored(withIndexRows(rows, indexRows)))
    await markTitleReaders(this.connection, this.#form, rows)
  }

  putSearchWords(rows: readonly SearchWords[], { isRebuilt } = { isRebuilt: false }): Promise<ReadonlySet<number>> {
    return this.#searchIndex().put(rows, isRebuilt)
  }

  addSpellings(words: readonly string[]): Promise<void> {
    return addSpellings(this.connection, words)
  }

  mergeSearchWords(): Promise<boolean> {
    return this.#searchIndex().merge()
  }

  async reindex(rows: readonly IndexedDocument[]): Promise<readonly TakenValue[]> {
    if (rows.length === 0) return []
    const wrong = await indexedOtherwise(this.connection, rows)
    this.connection.changed(announcementOfIndexed(rows, wrong))
    await this.#indexRows.change(
      rows
        .filter(({ row }) => wrong.has(row))
        .map(({ row, ...put }) => ({ ...indexRowChanges({ ...put, before: null }, row), isReplaced: true })),
    )
    return this.#uniqueValues.replace(rows)
  }

  /** Deletes and inserts only index rows that differ from the stored ones. */
  async #writeIndexRows(puts: readonly Put[], rows: readonly WrittenRow[]): Promise<void> {
    const byDocument = Map.groupBy(rows, ({ docId }) => docId)
    const changes = puts.map((put) => {
      const copies = byDocument.get(put.document.id.docId)
      const row = copies?.find((one) => sameId(put.document.id, one))
      if (row === undefined) throw new Error('A document that was written is not there.')
      return { ...indexRowChanges(put, row.n), put }
    })
    this.connection.changed(announcementOf(changes))
    await this.#indexRows.change(changes)
    await this.#uniqueValues.change(changes.map(({ row, put }) => ({ ...put, row })))
    await markTitleReaders(this.connection, this.#form, retitled(puts))
  }
}

function keyOf({ docId, locale, mode }: DocumentId): string {
  return `${docId}:${locale}:${mode}`
}

function contentOf({ id, fields }: OpenDocument): NewContent {
  return { docId: id.docId, fields }
}

function insertSql(puts: readonly Put[], contents: readonly ContentPosition[]): Sql {
  const rows = puts.flatMap(({ document }, index) => {
    const content = contents[index]
    return content ? [sql`(${joined(toCells(document, content))})`] : []
  })
  return sql`insert into documents (${COLUMNS_SQL}) values ${joined(rows)}`
}
