import type { Dialect } from '../database/dialect.ts'
import { type Sql, sql } from '../database/sql.ts'

/** When documents are published and archived by themselves (§3.9). */
export function schedules({ words }: Dialect): readonly Sql[] {
  return [
    sql`create table schedules (
      doc_id ${words.text} not null,
      locale ${words.text} not null,
      publish_at ${words.number},
      archive_at ${words.number},
      actor ${words.text} not null,
      failure ${words.text},
      primary key (doc_id, locale)
    )`,
    sql`create index schedules_by_publication on schedules (publish_at) where publish_at is not null`,
    sql`create index schedules_by_archiving on schedules (archive_at) where archive_at is not null`,
  ]
}
