import type { Dialect } from '../database/connection.ts'
import { type Sql, sql } from '../database/sql.ts'

/**
 * Changes of drafts that wait for a person (§4.9): `base` and `proposed` hold the values that they lie between, and
 * `decisions` what was decided about each of them. Versions name the proposal that was accepted.
 */
export function proposals({ words }: Dialect): readonly Sql[] {
  return [
    sql`create table proposals (
      id ${words.text} primary key,
      doc_id ${words.text} not null,
      locale ${words.text} not null,
      type ${words.text} not null,
      title ${words.text} not null,
      reason ${words.text} not null,
      state ${words.text} not null,
      maker_kind ${words.text} not null,
      maker_id ${words.text} not null,
      maker_name ${words.text} not null,
      maker_role ${words.text} not null,
      ai integer not null,
      revision integer not null,
      base ${words.text} not null,
      proposed ${words.text} not null,
      decisions ${words.text} not null,
      created_at ${words.text} not null,
      decided_at ${words.text},
      expires_at ${words.text} not null
    )`,
    sql`create index proposals_by_time on proposals (state, created_at, id)`,
    sql`create index proposals_of_document on proposals (doc_id, locale, state)`,
    sql`create index proposals_of_maker on proposals (maker_id, state)`,
    sql`create index proposals_by_expiry on proposals (expires_at)`,
    sql`alter table versions add column proposal ${words.text}`,
  ]
}
