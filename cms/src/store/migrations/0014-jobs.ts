import type { Dialect } from '../database/dialect.ts'
import { type Sql, sql } from '../database/sql.ts'

/** Jobs that one of all processes runs at their times: when they are due, and who runs them (§6.4). */
export function jobs({ words }: Dialect): readonly Sql[] {
  return [
    sql`create table jobs (
      name ${words.text} primary key,
      due ${words.number} not null,
      holder ${words.text},
      until ${words.number} not null,
      started_at ${words.number},
      ended_at ${words.number},
      failures integer not null,
      error ${words.text}
    )`,
  ]
}
