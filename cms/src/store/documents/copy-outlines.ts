import type { DocId, DocumentId } from '../../model/terms/document-id.ts'
import type { Connection } from '../database/connection.ts'
import { columnsOf, joined, type Sql, sql } from '../database/sql.ts'
import { listOf } from '../lists/view-conditions.ts'
import type { CopyOutline, CopySummary, OutlineScope } from '../terms/document-store.ts'

type SummaryRow = Pick<DocumentId, 'locale' | 'mode'> &
  Omit<CopySummary, 'id' | 'isArchived'> & { readonly archived: number }

const SUMMARY = joined([
  columnsOf<SummaryRow>('d', 'locale', 'mode', 'type', 'slug', 'visibility', 'title', 'archived', 'updatedAt'),
  columnsOf<SummaryRow>('d', 'lastPublishedAt'),
])

type OutlineRow = DocumentId & Omit<CopyOutline, 'id'>

const OUTLINE = joined([
  columnsOf<OutlineRow>('d', 'docId', 'locale', 'mode', 'type', 'title'),
  columnsOf<OutlineRow>('d', 'slug', 'visibility'),
])
const TYPE = columnsOf<{ docId: DocId; type: string }>('d', 'docId', 'type')

/** See `DocumentReader.outlines`. */
export async function outlinesOf(
  connection: Connection,
  docIds: readonly DocId[],
  { mode, locale, archived }: OutlineScope,
): Promise<CopyOutline[]> {
  if (docIds.length === 0) return []
  const isOfLocale = locale === undefined ? sql`` : sql`and d.locale in ('', ${locale})`
  const isOfState = archived === 'any' ? sql`` : sql`and d.archived = 0`
  const rows = await connection.all<OutlineRow>(
    sql`select ${OUTLINE}
      from ${amongIds(connection, docIds)} ${isOfLocale} ${isOfState} and (d.mode = ${mode} or d.locale = '')`,
  )
  return rows.map(({ docId, locale, mode, ...outline }) => ({ id: { docId, locale, mode }, ...outline }))
}

/** See `DocumentReader.everywhere`. */
export async function summariesOf(connection: Connection, docId: DocId): Promise<CopySummary[]> {
  const rows = await connection.all<SummaryRow>(
    sql`select ${SUMMARY} from documents d where d.doc_id = ${docId} order by d.locale, d.mode`,
  )
  return rows.map(({ locale, mode, archived, ...rest }) => {
    return { id: { docId, locale, mode }, isArchived: archived === 1, ...rest }
  })
}

/** See `DocumentReader.types`. */
export async function typesOf(connection: Connection, docIds: readonly DocId[]): Promise<Map<DocId, string>> {
  if (docIds.length === 0) return new Map()
  const rows = await connection.all<{ docId: string; type: string }>(
    sql`select ${TYPE} from ${amongIds(connection, docIds)}`,
  )
  return new Map(rows.map((row) => [row.docId, row.type]))
}

/** The documents `d` with these ids, joined on a condition that may go on. */
function amongIds({ dialect }: Connection, docIds: readonly DocId[]): Sql {
  return sql`${listOf(docIds, dialect)} ${dialect.joinInOrder} documents d on d.doc_id = i.value`
}
