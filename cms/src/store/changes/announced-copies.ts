import { foldText } from '../../base/text.ts'
import type { IndexRow } from '../../model/field-type/value-terms.ts'
import type { OpenDocument } from '../../model/terms/document.ts'
import { scopeOf, slugScope, textOf } from '../database/rows.ts'
import { columns, sql } from '../database/sql.ts'
import type { DocumentRow } from '../database/tables.ts'
import { type Announcement, changed, type Name } from '../terms/changes.ts'
import type { Put } from '../terms/document-writes.ts'

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
