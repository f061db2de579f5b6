import type { Dialect } from '../database/connection.ts'
import { type Sql, sql } from '../database/sql.ts'

/** Creates the table of names of which a cache in front of the site is still to be told (§6.8). */
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
