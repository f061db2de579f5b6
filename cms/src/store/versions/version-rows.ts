import type { DocId, Locale } from '../../model/terms/document-id.ts'
import type { Dialect } from '../database/connection.ts'
import { allOf, columnsOf, joined, type Sql, sql } from '../database/sql.ts'
import { contentBytes } from '../database/stored-content.ts'
import type { ListedVersionRow, VersionRow } from '../database/tables.ts'
import type { ListedVersion, RecentQuery, TimelineQuery, Version, VersionPosition } from '../terms/version-store.ts'

/** The columns of a version `v`. */
export const VERSION = joined([
  columnsOf<VersionRow>('v', 'id', 'docId', 'locale', 'mode', 'type', 'createdAt', 'updatedAt', 'author', 'authorId'),
  columnsOf<VersionRow>('v', 'ai', 'restoredFrom', 'undo', 'label', 'data', 'proposal', 'slug'),
])

/** The order of lists. */
export const NEWEST_FIRST = sql`order by v.created_at desc, v.id desc`

/** The version before `v` on its timeline. */
const PREVIOUS = sql`(select o.id from versions o where o.doc_id = v.doc_id and o.locale = v.locale
  and (o.created_at, o.id) < (v.created_at, v.id) order by o.created_at desc, o.id desc limit 1)`

/** Chosen rows of `versions`, few, with what lists need of their contents and of the versions before them. */
export function listedFrom(chosen: Sql, more: Sql = sql``): Sql<ListedVersionRow & { title: string | null }> {
  return sql`select ${VERSION}, c.hash, ${contentBytes('c')} as bytes, p.id as "previousId", p.type as "previousType",
      p.slug as "previousSlug", pc.hash as "previousHash", ${contentBytes('pc')} as "previousBytes" ${more}
    from (${chosen}) v
    join contents c on c.n = v.content
    left join versions p on p.id = ${PREVIOUS}
    left join contents pc on pc.n = p.content
    ${NEWEST_FIRST}`
}

/** The condition that a version is of a timeline. */
export function isOf(docId: DocId, locale: Locale): Sql {
  return sql`v.doc_id = ${docId} and v.locale = ${locale}`
}

/** The conditions of a query. */
export function testsOf({ authorId, ai, mode, labelled, since, before, after, at }: TimelineQuery): Sql {
  return allOf(
    authorId !== undefined && sql`v.author_id = ${authorId}`,
    ai !== undefined && sql`v.ai = 1`,
    mode !== undefined && sql`v.mode = ${mode}`,
    labelled !== undefined && sql`v.label is not null`,
    since !== undefined && sql`v.created_at >= ${since}`,
    before !== undefined && isBefore(before),
    after !== undefined && sql`(v.created_at, v.id) > (${after.createdAt}, ${after.id})`,
    at !== undefined && sql`v.created_at = ${at}`,
  )
}

function isBefore(before: string | VersionPosition): Sql {
  if (typeof before === 'string') return sql`v.created_at < ${before}`
  return sql`(v.created_at, v.id) < (${before.createdAt}, ${before.id})`
}

/** Limits the rows to the number that a query asks for. */
export function limitOf({ limit }: TimelineQuery): Sql {
  return limit === undefined ? sql`` : sql`limit ${limit}`
}

/** A row as a version. */
export function toVersion(row: VersionRow): Version {
  return {
    id: row.id,
    docId: row.docId,
    locale: row.locale,
    mode: row.mode,
    type: row.type,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    author: row.author,
    authorId: row.authorId,
    ai: row.ai === 1,
    restoredFrom: row.restoredFrom,
    ...(row.undo === 1 && { isUndo: true }),
    label: row.label,
    data: row.data === null ? null : JSON.parse(row.data),
    ...proposalOf(row),
  }
}

/** The proposal that a version accepts, where it does. */
export function proposalOf({ proposal }: Pick<VersionRow, 'proposal'>): Pick<Version, 'proposal'> {
  return proposal === null ? {} : { proposal: JSON.parse(proposal) }
}

/** A row as a version of a list. */
export function toListed(row: ListedVersionRow): ListedVersion {
  const { docId } = row
  const previous = {
    docId,
    type: row.previousType,
    hash: row.previousHash,
    slug: row.previousSlug,
    bytes: Number(row.previousBytes),
  }
  return {
    ...toVersion(row),
    content: { docId, type: row.type, hash: row.hash, slug: row.slug, bytes: Number(row.bytes) },
    previous: row.previousId === null ? null : { id: row.previousId, content: previous },
  }
}

/** A document in which AI has written: its last save, and the last one of a person; times and ids as one text. */
interface AiSavesRow {
  readonly docId: DocId
  readonly byAi: string
  readonly byPeople: string | null
}

/** The saves of documents since a person published them last, where AI made some of them; all in one statement. */
export function aiSaves(
  dialect: Dialect,
  docIds: readonly DocId[],
  { types, locales }: Pick<RecentQuery, 'types' | 'locales'>,
): Sql<AiSavesRow> {
  const at = sql`v.created_at || v.id`
  const isAsked = sql`${dialect.oneOf(sql`v.doc_id`, docIds, 'text')} and ${dialect.oneOf(sql`v.locale`, locales, 'text')}`
  return sql`with published as (
      select v.doc_id, v.locale, max(${at}) as at from versions v
      where ${isAsked} and v.mode = 'published' and v.ai = 0 group by v.doc_id, v.locale)
    select v.doc_id as "docId", max(case when v.ai = 1 then ${at} end) as "byAi",
      max(case when v.ai = 0 then ${at} end) as "byPeople"
    from versions v left join published p on p.doc_id = v.doc_id and p.locale = v.locale
    where ${isAsked} and (p.at is null or ${at} > p.at)
      and not exists (select 1 from documents d where d.doc_id = v.doc_id and d.locale = v.locale
        and not ${dialect.oneOf(sql`d.type`, types, 'text')})
    group by v.doc_id having max(v.ai) = 1`
}
