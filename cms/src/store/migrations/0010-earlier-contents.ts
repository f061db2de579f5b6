import type { Dialect } from '../database/dialect.ts'
import { type Sql, sql } from '../database/sql.ts'

/**
 * What a version held before autosaves replaced it, and from when on, where a translation was saved meanwhile: it is
 * compared with that (§4.5).
 */
export function earlierContents({ words }: Dialect): readonly Sql[] {
  return [
    sql`alter table versions add column earlier_content ${words.text}`,
    sql`alter table versions add column earlier_at ${words.text}`,
    sql`create index versions_of_earlier_content on versions (doc_id, earlier_content) where earlier_content is not null`,
  ]
}
