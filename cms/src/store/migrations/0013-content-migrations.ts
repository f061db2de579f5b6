import type { Dialect } from '../database/dialect.ts'
import { type Sql, sql } from '../database/sql.ts'

/** The content migrations of a site that have run here, or have begun to (§2.14); `progress` is JSON. */
export function contentMigrations({ words }: Dialect): readonly Sql[] {
  return [
    sql`create table content_migrations (
      name ${words.text} primary key,
      checksum ${words.text} not null,
      started_at ${words.text} not null,
      finished_at ${words.text},
      progress ${words.text} not null
    )`,
  ]
}
