import type { Transaction } from '../database/connection.ts'
import { indexScopeKey } from '../database/rows.ts'
import { sql } from '../database/sql.ts'
import type { Put } from '../terms/document-writes.ts'
import type { StoredForm } from '../terms/stored-form.ts'
import { announcementOfStored, COPY, type StoredCopy } from './announced-copies.ts'

/** A copy whose title is among what others are found by. */
export type TitledCopy = Pick<StoredCopy, 'docId' | 'locale' | 'mode' | 'type'>

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
