import { isIndexRowOf, isShown } from './conditions.ts'
import { BODY } from './content.ts'
import type { Dialect } from './dialect.ts'
import { QuerySql } from './query.ts'
import { type Sql, sql } from './sql.ts'
import type { Filter, ValueCount, View, WrittenValueCount } from './store.ts'

/** The different values of an index in what a filter finds, and how many documents have each. */
export function valuesSql(query: Filter, name: string, dialect: Dialect): Sql<ValueCount> {
  return sql`select e.text, e.number, count(distinct e.document) as count
        from entries e where ${isIndexRowOf(query, name, 'e')} ${isOfMatch(query, dialect)}
        group by e.text, e.number order by e.text, e.number`
}

/** As `valuesSql`, with the value of the oldest document as it was written. */
export function writtenValuesSql(query: Filter, name: string, dialect: Dialect): Sql<WrittenValueCount> {
  return sql`select r.text, r.number, r.count, ${dialect.textIn(BODY, name)} as written from (
          select e.text, e.number, count(distinct e.document) as count, min(e.document) as oldest
          from entries e where ${isIndexRowOf(query, name, 'e')} ${isOfMatch(query, dialect)} group by e.text, e.number
        ) r ${dialect.joinInOrder} documents d on d.n = r.oldest
        order by r.text, r.number`
}

interface RelatedRow {
  readonly doc_id: string
  readonly title: string
  readonly slug: string
  readonly count: number
}

/** The documents of a view that what a filter finds relates to, and how many relate to each. */
export function relatedSql(query: Filter, name: string, target: View, dialect: Dialect): Sql<RelatedRow> {
  return sql`select t.doc_id, t.title, t.slug, r.count from (
          select e.text, count(distinct e.document) as count
          from entries e where ${isIndexRowOf(query, name, 'e')} ${isOfMatch(query, dialect)} group by e.text
        ) r ${dialect.joinInOrder} documents t on t.doc_id = r.text and ${isShown(target, 't')}
        order by t.title_sort, t.n`
}

function isOfMatch(query: Filter, dialect: Dialect): Sql {
  const isAll = query.conditions.length === 0 && query.search === undefined && query.docIds === undefined
  return isAll ? sql`` : sql`and e.document in (${new QuerySql(query, dialect).matches()})`
}
