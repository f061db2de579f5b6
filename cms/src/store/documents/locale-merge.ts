import type { DocId, Locale } from '../../model/terms/document-id.ts'
import type { Connection } from '../database/connection.ts'
import { columns, columnsOf, type Sql, sql } from '../database/sql.ts'
import type { KeptDocument, Renaming } from '../terms/locale-store.ts'

type Names = Pick<Renaming, 'from' | 'to' | 'archive'>

/**
 * The documents of a locale that cannot join another one: it has their id, slug or unique value, or lacks their parent.
 */
export async function keptDocuments(connection: Connection, names: Names): Promise<KeptDocument[]> {
  const { from, to } = names
  const hasOther = sql`exists (select 1 from documents t where t.locale = ${to}`
  const taken = await connection.all<{ docId: string }>(
    sql`select distinct ${columnsOf('d', 'docId')} from documents d where d.locale = ${from} and (
      ${hasOther} and t.doc_id = d.doc_id)
      or (d.archived = 0 and ${hasOther} and t.slug_scope = d.slug_scope and t.mode = d.mode
        and t.slug_folded = d.slug_folded and t.archived = 0))
      or exists (select 1 from unique_values u join unique_values t on t.scope = d.type || ':' || ${to} || ':' || d.mode
        and t.name = u.name and t.value = u.value where u.document = d.n))`,
  )
  const docIds = taken.map(({ docId }) => docId)
  const stuck = await stuckPages(connection, names, docIds)
  const isKept = connection.dialect.oneOf(sql`d.doc_id`, [...new Set([...docIds, ...stuck])], 'text')
  return connection.all<KeptDocument>(
    sql`select d.doc_id as "docId", min(d.type) as type, min(d.title) as title from documents d
      where d.locale = ${from} and ${isKept} group by d.doc_id order by 3, 1`,
  )
}

/**
 * Pages whose parent does not come along, or is not there in a state in which it could be theirs: archived or not like
 * them, and published if they are; and everything below them.
 */
async function stuckPages(
  connection: Connection,
  { from, to, archive }: Names,
  taken: readonly DocId[],
): Promise<DocId[]> {
  const isThere = (docId: Sql) => sql`exists (select 1 from places t where t.locale = ${to} and t.doc_id = ${docId})`
  const isHere = sql`exists (select 1 from places f where f.locale = ${from} and f.doc_id = p.parent)`
  // A parent that gave way has its position there, and is still here itself.
  const isAbove = sql`t.doc_id = p.parent and (t.locale = ${to} or (t.locale = ${from}
    and not exists (select 1 from documents o where o.locale = ${to} and o.doc_id = p.parent)))`
  const isUnfit = sql`p.doc_id <> ${archive} and exists (
    select 1 from documents d where d.locale = ${from} and d.doc_id = p.doc_id and not exists (
      select 1 from documents t where ${isAbove} and t.archived = d.archived
        and (d.mode = 'draft' or t.mode = 'published')))`
  const rows = await connection.all<{ docId: string }>(
    sql`with recursive stuck (doc_id) as (
        select p.doc_id from places p where p.locale = ${from} and not ${isThere(sql`p.doc_id`)} and (
          ${connection.dialect.oneOf(sql`p.doc_id`, [...taken], 'text')}
          or (p.parent <> '' and case when ${isThere(sql`p.parent`)} then ${isUnfit} else not (${isHere}) end))
        union
        select p.doc_id from places p join stuck s on p.parent = s.doc_id
          where p.locale = ${from} and not ${isThere(sql`p.doc_id`)})
      select ${columns('docId')} from stuck`,
  )
  return rows.map(({ docId }) => docId)
}

/** Moves the positions of pages into the tree of the other locale: last among its pages, but before the archive. */
export async function joinTrees(connection: Connection, { from, to, archive }: Names, isMoved: Sql): Promise<void> {
  const [there] = await connection.all<{ count: number }>(
    sql`select count(*) as count from places where locale = ${to}`,
  )
  const { count } = there ?? { count: 0 }
  await connection.all(
    sql`delete from places where locale = ${from} and ${isMoved}
      and doc_id in (select t.doc_id from places t where t.locale = ${to})`,
  )
  await connection.all(
    sql`update places set locale = ${to}, rank = rank + ${count} where locale = ${from} and ${isMoved}`,
  )
  if (count > 0) await restoreTree(connection, to, archive)
}

/** Makes paths, levels and ranks right, from parents and the order of siblings. */
async function restoreTree(connection: Connection, locale: Locale, archive: DocId): Promise<void> {
  await connection.all(
    sql`with recursive tree (doc_id, path, level) as (
        select p.doc_id, p.doc_id, 0 from places p where p.locale = ${locale} and p.parent = ''
        union all
        select p.doc_id, t.path || '/' || p.doc_id, t.level + 1 from places p join tree t on p.parent = t.doc_id
          where p.locale = ${locale}),
      ranked (doc_id, rank) as (
        select p.doc_id, row_number() over (
            partition by p.parent order by case when p.doc_id = ${archive} then 1 else 0 end, p.rank, p.doc_id) - 1
          from places p where p.locale = ${locale})
      update places set path = tree.path, level = tree.level, rank = ranked.rank
        from tree join ranked on ranked.doc_id = tree.doc_id
        where places.locale = ${locale} and places.doc_id = tree.doc_id`,
  )
}
