import type { DocId } from '../../model/terms/document.ts'
import type { Dialect } from '../database/connection.ts'
import { columnsOf, type Sql, sql } from '../database/sql.ts'
import { BODY } from '../database/stored-content.ts'
import type { DocumentRow } from '../database/tables.ts'
import type { Filter, Pointing, RelatedCount, ValueCount, View, WrittenValueCount } from '../terms/document-store.ts'
import { isIndexRowOf, isShown } from './conditions.ts'
import { DOCUMENT, QuerySql } from './list-query.ts'

/** The distinct values of an index among the documents that a filter finds, with counts. */
export function valuesSql(query: Filter, name: string, dialect: Dialect): Sql<ValueCount> {
  return sql`select e.text, e.number, count(distinct e.document) as count
        from entries e where ${isIndexRowOf(query, name, 'e')} ${isOfMatch(query, dialect)}
        group by e.text, e.number order by e.text, e.number`
}

/** `valuesSql` with the value of the oldest document as it was written. */
export function writtenValuesSql(query: Filter, name: string, dialect: Dialect): Sql<WrittenValueCount> {
  return sql`select r.text, r.number, r.count, ${dialect.textIn(BODY, name)} as written from (
          select e.text, e.number, count(distinct e.document) as count, min(e.document) as oldest
          from entries e where ${isIndexRowOf(query, name, 'e')} ${isOfMatch(query, dialect)} group by e.text, e.number
        ) r ${dialect.joinInOrder} documents d on d.n = r.oldest
        order by r.text, r.number`
}

/** The documents of a view that those found by a filter relate to, with counts. */
export function relatedSql(
  query: Filter,
  { name, target }: { readonly name: string; readonly target: View },
  dialect: Dialect,
): Sql<RelatedCount> {
  return sql`select ${columnsOf('t', 'docId', 'title', 'slug')}, r.count from (
          select e.text, count(distinct e.document) as count
          from entries e where ${isIndexRowOf(query, name, 'e')} ${isOfMatch(query, dialect)} group by e.text
        ) r ${dialect.joinInOrder} documents t on t.doc_id = r.text and ${isShown(target, 't')}
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
