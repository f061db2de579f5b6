import { foldText } from '../../base/text.ts'
import type { Document } from '../../model/terms/document.ts'
import { type Announcement, changed, type Name } from '../contract/changes.ts'
import type { IndexRow, Put } from '../contract/store.ts'
import { scopeOf, slugScope, textOf } from '../database/rows.ts'
import { sql } from '../database/sql.ts'
import type { DocumentRow } from '../database/tables.ts'

/** A copy that is stored, and what else must be known of it to announce it. */
export interface StoredCopy extends Pick<DocumentRow, 'n' | 'doc_id' | 'locale' | 'mode' | 'type' | 'slug'> {
  readonly indexRows: readonly Pick<IndexRow, 'kind' | 'name' | 'text' | 'number'>[]
}

/** What `StoredCopy` has of a document, as columns. */
export const COPY = sql`n, doc_id, locale, mode, type, slug`

/** An index row with the row number of its document, as columns. */
export const INDEX_ROW = sql`document, kind, name, text, number`

/** What the writing of documents changes, each with its row number. */
export function announcementOf(puts: readonly { readonly put: Put; readonly row: number }[]): Announcement {
  const names: Name[] = []
  const rows = new Map<Name, number[]>()
  for (const { put, row } of puts) {
    for (const { document, indexRows } of put.before === null ? [put] : [put, put.before]) {
      const { docId, locale, mode } = document.id
      const { type } = document
      const slug = textOf(document.fields.slug)
      addNames(names, { n: row, doc_id: docId, locale, mode, type, slug, indexRows })
      addRow(rows, changed.list(scopeOf(document)), row)
    }
    if (isPage(put) && !isShownAlike(put)) names.push(changed.pages(put.document.id.locale, put.document.id.mode))
  }
  return { names, rows }
}

/** What the removal of stored copies changes. */
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

/** Copies, each with its own index rows. */
export function withIndexRows(
  rows: readonly Omit<StoredCopy, 'indexRows'>[],
  indexRows: readonly (IndexRow & { readonly document: number })[],
): readonly StoredCopy[] {
  const byDocument = Map.groupBy(indexRows, ({ document }) => document)
  return rows.map((row) => ({ ...row, indexRows: byDocument.get(row.n) ?? [] }))
}

function addNames(names: Name[], { doc_id: docId, locale, mode, type, slug, indexRows }: StoredCopy): void {
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

function facts({ type, fields: { slug, title, visibility, archived, orphan } }: Document): string {
  return JSON.stringify([type, slug, title, visibility, archived, orphan])
}
