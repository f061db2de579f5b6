import type { PublishingState } from '../../model/terms/document-id.ts'
import { type Sql, sql } from '../database/sql.ts'
import type { Scope } from '../terms/document-query.ts'
import type { StateCount } from '../terms/document-store.ts'

/** The state of the document `d`, which is a draft, or of a type that has none. */
export function stateSql({ locale }: Pick<Scope, 'locale'>): Sql<PublishingState> {
  if (locale === '') return sql`case when d.archived = 1 then 'archived' else 'published' end`
  return sql`case when d.archived = 1 then 'archived' when d.last_published_at is null then 'draft'
    when d.modified = 1 then 'modified' else 'published' end`
}

/** The state of the document `d`, whichever copy it is; `s` is its draft, if it has one. */
export const STATE_OF_ANY: Sql<PublishingState> = sql`case when d.archived = 1 then 'archived'
  when d.locale = '' then 'published' when d.last_published_at is null then 'draft'
  when s.modified = 1 then 'modified' else 'published' end`

/** Counts documents `d` of a scope by state, those for which a condition holds. */
export function statesSql(scope: Pick<Scope, 'locale'>, condition: Sql): Sql<StateCount> {
  return sql`select s.state, count(*) as count from (
      select ${stateSql(scope)} as state from documents d where ${condition}) s
    group by s.state order by s.state`
}
