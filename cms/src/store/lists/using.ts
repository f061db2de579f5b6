import type { Connection, Dialect } from '../database/connection.ts'
import { indexScopeKey } from '../database/index-keys.ts'
import { columnsOf, type Sql, sql } from '../database/sql.ts'
import type { UsesQuery } from '../terms/document-query.ts'
import type { UsingDocument, UsingPage } from '../terms/document-store.ts'
import { STATE_OF_ANY } from './document-states.ts'

/** Of the page; all but `total` is null where it is empty. */
type UsingRow = { readonly total: number } & (Omit<UsingDocument, 'id'> & UsingDocument['id'])

/** The documents that have one of some index rows, the newest first, and how many there are. One statement. */
export async function usingPage(connection: Connection, query: UsesQuery): Promise<UsingPage> {
  if (query.references.length === 0) return { documents: [], total: 0 }
  const rows = await connection.varied(pageSql(query, connection.dialect))
  const found = rows.filter(({ row }) => row !== null)
  const documents = found.map(({ docId, locale, mode, total: _, ...one }) => ({ ...one, id: { docId, locale, mode } }))
  return { documents, total: rows[0]?.total ?? 0 }
}

/** Each document once, whichever of its copies has the row: by its draft, where it has one. */
function pageSql(query: UsesQuery, dialect: Dialect): Sql<UsingRow> {
  const { offset, limit } = query
  return sql`with u as materialized (${usersSql(query, dialect)}),
    page as (select d.n, d.updated_at from u
      ${dialect.joinInOrder} documents d on d.doc_id = u.doc_id and d.locale = u.locale
        and (d.mode = 'draft' or not exists (select 1 from documents s
          where s.doc_id = u.doc_id and s.locale = u.locale and s.mode = 'draft'))
      order by d.updated_at desc, d.n desc limit ${limit} offset ${offset})
    select t.total, d.n as "row", p.n as "publishedRow", d.bytes + coalesce(p.bytes, 0) as bytes,
      ${columnsOf<UsingRow>('d', 'docId', 'locale', 'mode', 'type')}, ${STATE_OF_ANY} as state, l.path
    from (select count(*) as total from u) t
    left join page on true
    left join documents d on d.n = page.n
    left join documents s on s.doc_id = d.doc_id and s.locale = d.locale and s.mode = 'draft'
    left join documents p on p.doc_id = d.doc_id and p.locale = d.locale and p.mode = 'published' and p.n <> d.n
    left join places l on l.locale = d.locale and l.doc_id = d.doc_id
    order by page.updated_at desc, page.n desc`
}

function usersSql({ references, except }: UsesQuery, dialect: Dialect): Sql {
  const rows = references.map(({ isOfArchived, kind, name, id, ...scope }) => {
    return [indexScopeKey(scope), kind, name, id, isOfArchived ? 1 : 0]
  })
  const columns = { scope: 'text', kind: 'text', name: 'text', id: 'text', archived: 'integer' } as const
  return sql`select distinct d.doc_id, d.locale from ${dialect.table('r', columns, rows)}
    ${dialect.joinInOrder} entries e on e.scope = r.scope and e.name = r.name and e.text = r.id and e.kind = r.kind
    ${dialect.joinInOrder} documents d on d.n = e.document and d.archived <= r.archived and d.doc_id <> ${except}`
}
