import type { OpenCopies } from '../../model/terms/document.ts'
import type { DocId, Locale, Mode } from '../../model/terms/document-id.ts'
import { type Dialect, fixed } from '../database/connection.ts'
import { IN_FIELDS, toDocument } from '../database/rows.ts'
import { type Sql, sql } from '../database/sql.ts'
import type { DocumentRow } from '../database/tables.ts'
import { DOCUMENT } from '../lists/list-query.ts'
import type { StoredForm } from '../terms/stored-form.ts'

/** A copy with the position of its content; the body is null where that was stored since the statement began. */
export interface LockedRow extends DocumentRow {
  readonly content: number
  readonly bytes: number
  /** Whether a version has the content, too. */
  readonly recorded: unknown
}

const LOCKED = sql`${DOCUMENT}, d.content, d.bytes, exists (
  select 1 from versions v where v.content = d.content) as recorded`

/** The copy of this identity. */
export const BY_IDENTITY = fixed(
  ({ docId, locale, mode }: { docId: DocId; locale: Locale; mode: Mode }): Sql<DocumentRow> =>
    sql`select ${DOCUMENT} from documents d where d.doc_id = ${docId} and d.locale = ${locale} and d.mode = ${mode}`,
)

const copiesSql = ({ docId, locale }: { docId: DocId; locale: Locale }) =>
  sql<LockedRow>`select ${LOCKED} from documents d where d.doc_id = ${docId} and d.locale = ${locale} order by d.mode`

/** Both copies of a document. */
export const COPIES = fixed(copiesSql)

/** Both copies of a document, which are locked. */
export const COPIES_TO_LOCK = fixed(
  (identity: Parameters<typeof copiesSql>[0], { forUpdate }): Sql<LockedRow> =>
    sql`${copiesSql(identity)} ${forUpdate}`,
)

/** Selects both copies of many documents, always in the same order. */
export function copiesOfManySql(docIds: readonly DocId[], locale: Locale, dialect: Dialect): Sql<LockedRow> {
  return sql`select ${LOCKED} from documents d where ${dialect.oneOf(sql`d.doc_id`, [...docIds], 'text')}
    and d.locale = ${locale} order by d.doc_id, d.mode ${dialect.forUpdate}`
}

/** Makes both copies of the rows of one document in one locale. Equal contents are one object. */
export function toCopies(rows: readonly DocumentRow[], form: StoredForm): OpenCopies {
  const [draft, published] = [rowOf(rows, 'draft'), rowOf(rows, 'published')]
  const first = draft && toDocument(draft, form)
  const same = first && published && holdTheSame(draft, published) ? first : null
  return { draft: first, published: published && toDocument(published, form, same?.fields) }
}

function rowOf(rows: readonly DocumentRow[], mode: Mode): DocumentRow | null {
  return rows.find((row) => row.mode === mode) ?? null
}

function holdTheSame(one: DocumentRow, other: DocumentRow): boolean {
  return IN_FIELDS.every((column) => one[column] === other[column])
}
