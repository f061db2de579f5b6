import type { DocId } from '../../model/terms/document-id.ts'
import type { Dialect } from '../database/connection.ts'
import { type Sql, sql } from '../database/sql.ts'
import type { RecentQuery } from '../terms/version-store.ts'

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
