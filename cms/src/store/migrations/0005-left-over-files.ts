import type { Dialect } from '../database/dialect.ts'
import { type Sql, sql } from '../database/sql.ts'

/**
 * `left_over_files`: attachments that have no row, but may have files: of uploads that have begun, and of attachments
 * that were removed. `due`: from when on the files may be removed.
 */
export function leftOverFiles({ words }: Dialect): readonly Sql[] {
  return [
    sql`create table left_over_files (
      attachment ${words.text} primary key,
      due ${words.text} not null
    )`,
  ]
}
