import type { Dialect } from '../database/dialect.ts'
import { type Sql, sql } from '../database/sql.ts'

/** Requests with an `Idempotency-Key` (§0.9): what they were answered, for a day. Times are milliseconds since 1970. */
export function idempotency({ words }: Dialect): readonly Sql[] {
  return [
    sql`create table idempotency (
      id ${words.text} primary key,
      body ${words.text} not null,
      since ${words.number} not null,
      until ${words.number} not null,
      committed integer not null,
      answer ${words.text}
    )`,
    sql`create index idempotency_by_age on idempotency (since)`,
  ]
}
