import type { DocId } from '../../model/terms/document-id.ts'
import type { Dialect } from '../database/connection.ts'
import { columnsOf, joined, literal, type Sql, sql } from '../database/sql.ts'
import { BODY } from '../database/stored-content.ts'
import type { DocumentRow } from '../database/tables.ts'
import type { Filter, Pointing, RelatedTarget, View } from '../terms/document-query.ts'
import type { RelatedCount, ValueCount, WrittenValueCount } from '../terms/document-store.ts'
import { DOCUMENT, QuerySql } from './list-query.ts'
import { isIndexRowOf, isTarget } from './view-conditions.ts'

/** The distinct values of an index among the documents that a filter finds, with counts. */
export function valuesSql(query: Filter, name: string, dialect: Dialect): Sql<ValueCount> {
  return sql`select e.text, e.number, count(distinct e.document) as count
        from entries e where ${isIndexRowOf(query, name, 'e')} ${isOfMatch(query, dialect)}
        group by e.text, e.number order by e.text, e.number`
}

/** The extensions of the files that documents found by a filter have in an attachment field, with counts. */
export function extensionsSql(query: Filter, name: string, dialect: Dialect): Sql<ValueCount> {
  return sql`select a.extension as text, null as number, count(distinct e.document) as count
        from entries e ${dialect.joinInOrder} attachments a on a.id = e.text
        where ${isIndexRowOf(query, name, 'e')} and e.kind = 'attachment' ${isOfMatch(query, dialect)}
        group by a.extension order by a.extension`
}

/** The longest text that a filter can ask for (§0.5). */
const LONGEST_ASKED = 1000

/** `valuesSql` with the value of the oldest document as it was written; without texts that no filter can ask for. */
export function writtenValuesSql(query: Filter, name: string, dialect: Dialect): Sql<WrittenValueCount> {
  return sql`with v as materialized (
          select r.text, r.number, r.count, ${dialect.textIn(BODY, name)} as written from (
            select e.text, e.number, count(distinct e.document) as count, min(e.document) as oldest
            from entries e where ${isIndexRowOf(query, name, 'e')} ${isOfMatch(query, dialect)} group by e.text, e.number
          ) r ${dialect.joinInOrder} documents d on d.n = r.oldest)
        select v.text, v.number, v.count, v.written from v
        where v.written is null or length(v.written) <= ${literal(LONGEST_ASKED)} order by v.text, v.number`
}

interface RelatedBy {
  readonly name: string
  readonly targets: readonly RelatedTarget[]
}

/** The documents that those found by a filter relate to, with counts. */
export function relatedSql(query: Filter, { name, targets }: RelatedBy, dialect: Dialect): Sql<RelatedCount> {
  const shown = columnsOf<RelatedCount>('t', 'docId', 'type', 'title', 'slug')
  const related = sql`entries e where ${isIndexRowOf(query, name, 'e')} ${isOfMatch(query, dialect)}`
  const bySlug = targets.filter(({ by }) => by === 'slug').map(({ view }) => view.type)
  if (bySlug.length > 1) {
    return sql`select ${shown}, r.count from (
          select min(t.n) as n, count(distinct e.document) as count
          from (select e.text, e.document from ${related}) e
          ${dialect.joinInOrder} documents t on t.doc_id = e.text and ${isTarget(targets, 't')}
          group by case when t.type in (${joined(bySlug)}) then t.slug_folded else t.doc_id end
        ) r ${dialect.joinInOrder} documents t on t.n = r.n
        order by t.title_sort, t.n`
  }
  return sql`select ${shown}, r.count from (
          select e.text, count(distinct e.document) as count from ${related} group by e.text
        ) r ${dialect.joinInOrder} documents t on t.doc_id = r.text and ${isTarget(targets, 't')}
        order by t.title_sort, t.n`
}

/** The newest documents of a view that point to each of these. */
export function pointingSql(
  view: View,
  { name, docIds, limit }: Pointing,
  dialect: Dialect,
): Sql<DocumentRow & { readonly target: DocId }> {
  return sql`select p.target, ${DOCUMENT} from (
          select target, n, row_number() over (partition by target order by n desc) as place from (
            select distinct e.text as target, e.document as n from entries e
            where ${isIndexRowOf(view, name, 'e')} and ${dialect.oneOf(sql`e.text`, [...docIds], 'text')}
          ) e
        ) p ${dialect.joinInOrder} documents d on d.n = p.n
        where p.place <= ${limit} order by p.target, p.place`
}

function isOfMatch(query: Filter, dialect: Dialect): Sql {
  const isAll = query.conditions.length === 0 && query.search === undefined && query.docIds === undefined
  return isAll ? sql`` : sql`and e.document in (${new QuerySql(query, dialect).matches()})`
}
