import type { Dialect } from '../database/connection.ts'
import { type Sql, sql } from '../database/sql.ts'

/** Creates the table of names that are still to be purged from a cache in front of the site (§6.8). */
export function purges({ words }: Dialect): readonly Sql[] {
  return [
    sql`create table purges (
      n ${words.rowNumber},
      names ${words.text},
      due ${words.number} not null,
      is_repeated integer not null
    )`,
    sql`create index purges_by_due on purges (due)`,
  ]
}
