import { foldText } from '../../base/text.ts'
import type { IndexRow } from '../../model/field-type/value-terms.ts'
import { type OpenDocument, slugOf } from '../../model/terms/document.ts'
import type { DocId, Locale } from '../../model/terms/document-id.ts'
import type { Transaction } from '../database/connection.ts'
import { indexScopeKey } from '../database/index-keys.ts'
import { scopeOf, slugScope, textOf } from '../database/rows.ts'
import { columns, sql } from '../database/sql.ts'
import type { DocumentRow } from '../database/tables.ts'
import { type Announcement, changed, type Name } from '../terms/changes.ts'
import type { IndexedDocument, Put } from '../terms/document-writes.ts'
import type { StoredForm } from '../terms/stored-form.ts'

/** A stored copy, with all that names are made of when it changes. */
export interface StoredCopy extends Pick<DocumentRow, 'n' | 'docId' | 'locale' | 'mode' | 'type' | 'slug'> {
  readonly indexRows: readonly Pick<IndexRow, 'kind' | 'name' | 'text' | 'number'>[]
}

/** The columns of a `StoredCopy`. */
export const COPY = columns<StoredCopy>('n', 'docId', 'locale', 'mode', 'type', 'slug')

/** An index row with the row number of its document, as columns. */
export const INDEX_ROW = sql`document, kind, name, text, number`

/** Announces that documents were written, each with its row number. */
export function announcementOf(puts: readonly { readonly put: Put; readonly row: number }[]): Announcement {
  const names: Name[] = []
  const rows = new Map<Name, number[]>()
  for (const { put, row } of puts) {
    for (const { document, indexRows } of put.before === null ? [put] : [put, put.before]) {
      const { docId, locale, mode } = document.id
      const { type } = document
      const slug = textOf(document.fields.slug)
      addNames(names, { n: row, docId, locale, mode, type, slug, indexRows })
      addRow(rows, changed.list(scopeOf(document)), row)
    }
    if (isPage(put) && !isShownAlike(put)) names.push(changed.pages(put.document.id.locale, put.document.id.mode))
  }
  return { names, rows }
}

/** Announces that stored copies were removed. */
export function announcementOfStored(copies: readonly StoredCopy[]): Announcement {
  const names: Name[] = []
  const rows = new Map<Name, number[]>()
  for (const copy of copies) {
    addNames(names, copy)
    addRow(rows, changed.list(copy), copy.n)
    if (slugScope(copy.type, copy.slug) === '/') names.push(changed.pages(copy.locale, copy.mode))
  }
  return { names, rows }
}

/**
 * Announces that copies were indexed again. Searches may find all of them by other words, and filters find those whose
 * former index rows are given by other values.
 */
export function announcementOfIndexed(
  copies: readonly IndexedDocument[],
  former: ReadonlyMap<number, readonly IndexRow[]>,
): Announcement {
  const names: Name[] = []
  const rows = new Map<Name, number[]>()
  for (const { row, document, indexRows } of copies) {
    const list = changed.list(scopeOf(document))
    names.push(list)
    addRow(rows, list, row)
    const before = former.get(row)
    if (before === undefined) continue
    const { docId, locale, mode } = document.id
    const { type } = document
    addNames(names, { n: row, docId, locale, mode, type, slug: slugOf(document), indexRows: [...before, ...indexRows] })
  }
  return { names, rows }
}

/** Announces that something other than the stored copies of a document has changed, by which lists find them. */
export async function announceCopies(transaction: Transaction, docId: DocId, locale: Locale): Promise<void> {
  const copies = await transaction.all<Omit<StoredCopy, 'indexRows'>>(
    sql`select ${COPY} from documents where doc_id = ${docId} and locale = ${locale}`,
  )
  const numbers = copies.map(({ n }) => n)
  const indexRows = await transaction.all<IndexRow & { document: number }>(
    sql`select ${INDEX_ROW} from entries where ${transaction.dialect.oneOf(sql`document`, numbers, 'integer')}`,
  )
  transaction.changed(announcementOfStored(withIndexRows(copies, indexRows)))
}

/** Copies, each with its own index rows. */
export function withIndexRows(
  rows: readonly Omit<StoredCopy, 'indexRows'>[],
  indexRows: readonly (IndexRow & { readonly document: number })[],
): readonly StoredCopy[] {
  const byDocument = Map.groupBy(indexRows, ({ document }) => document)
  return rows.map((row) => ({ ...row, indexRows: byDocument.get(row.n) ?? [] }))
}

function addNames(names: Name[], { docId, locale, mode, type, slug, indexRows }: StoredCopy): void {
  const scope = { type, locale, mode }
  names.push(changed.copy({ docId, locale, mode }), changed.document(docId), changed.list(scope))
  names.push(changed.slug(scope, foldText(slug)))
  for (const { kind, name, text, number } of indexRows) {
    if (text !== null) names.push(changed.value(scope, name, text))
    if (number !== null) names.push(changed.value(scope, name, number))
    if (kind === 'attachment' && text !== null) names.push(changed.attachment(text))
  }
}

function addRow(rows: Map<Name, number[]>, list: Name, row: number): void {
  const known = rows.get(list)
  if (known === undefined) rows.set(list, [row])
  else if (known.at(-1) !== row) known.push(row)
}

function isPage({ document }: Put): boolean {
  return slugScope(document.type, textOf(document.fields.slug)) === '/'
}

/** Whether other pages show a page as before. */
function isShownAlike({ document, before }: Put): boolean {
  return before !== null && facts(document) === facts(before.document)
}

function facts({ type, fields: { slug, title, visibility, archived, orphan } }: OpenDocument): string {
  return JSON.stringify([type, slug, title, visibility, archived, orphan])
}

/** A copy whose title is among what others are found by. */
type TitledCopy = Pick<StoredCopy, 'docId' | 'locale' | 'mode' | 'type'>

/** The copies whose title, or who sees it, is changed by saves. */
export function retitled(puts: readonly Put[]): readonly TitledCopy[] {
  return puts.flatMap(({ document, before }) => {
    if (before !== null && titleFacts(document) === titleFacts(before.document)) return []
    const { docId, locale, mode } = document.id
    const types = new Set([document.type, before?.document.type ?? document.type])
    return [...types].map((type) => ({ docId, locale, mode, type }))
  })
}

function titleFacts({ type, fields: { title, visibility, archived } }: Put['document']): string {
  return JSON.stringify([type, title, visibility, archived])
}

/**
 * Marks the documents that search finds by the titles of these copies as unsearched, and announces them as changed. In
 * order, so that transactions do not wait for one another in a circle.
 */
export async function markTitleReaders(
  transaction: Transaction,
  form: StoredForm,
  copies: readonly TitledCopy[],
): Promise<void> {
  const cells = copies.flatMap(({ docId, locale, mode, type }) =>
    form.titleReaders(type, locale).map((reader) => {
      return [indexScopeKey(reader), reader.name, docId, locale === '' ? '' : mode]
    }),
  )
  if (cells.length === 0) return
  const { dialect } = transaction
  const table = dialect.table('r', { scope: 'text', name: 'text', target: 'text', mode: 'text' }, cells)
  const readers = sql`select e.document from ${table} ${dialect.joinInOrder} entries e
    on e.scope = r.scope and e.name = r.name and e.text = r.target
    ${dialect.joinInOrder} documents t on t.n = e.document and (r.mode = '' or t.mode = r.mode)`
  const marked = await transaction.all<Omit<StoredCopy, 'indexRows'>>(
    sql`update documents set search_stale = 1, title_changes = title_changes + 1 where n in (
      select d.n from documents d where d.n in (${readers}) order by d.n ${dialect.forUpdate}) returning ${COPY}`,
  )
  if (marked.length > 0) transaction.changed(announcementOfStored(marked.map((copy) => ({ ...copy, indexRows: [] }))))
}
