import type { Dialect } from '../database/dialect.ts'
import { type Sql, sql } from '../database/sql.ts'

/** Receivers of events outside, and what was or is to be sent to them (§6.7). */
export function webhooks({ words }: Dialect): readonly Sql[] {
  return [
    sql`create table webhooks (
      id ${words.text} primary key,
      url ${words.text} not null,
      events ${words.text} not null,
      types ${words.text} not null,
      secret ${words.text} not null,
      enabled integer not null,
      created_at ${words.text} not null
    )`,
    sql`create table webhook_deliveries (
      n ${words.rowNumber},
      id ${words.text} not null unique,
      webhook_id ${words.text} not null,
      event ${words.text} not null,
      body ${words.text} not null,
      status ${words.text} not null,
      attempts integer not null,
      due ${words.number} not null,
      leased_until ${words.number} not null,
      created_at ${words.number} not null,
      sent_at ${words.number},
      answered integer,
      error ${words.text}
    )`,
    sql`create index webhook_deliveries_waiting on webhook_deliveries (webhook_id, n) where status = 'pending'`,
    sql`create index webhook_deliveries_of on webhook_deliveries (webhook_id, n)`,
    sql`create index webhook_deliveries_by_age on webhook_deliveries (created_at)`,
  ]
}
