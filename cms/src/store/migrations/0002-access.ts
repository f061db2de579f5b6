import type { Dialect } from '../database/dialect.ts'
import { type Sql, sql } from '../database/sql.ts'

/**
 * Users and how they sign in. `unique_values`: values that only one document of a scope may have. `tokens`: login
 * tokens and sessions, as hashes. `throttle`: failed attempts to sign in, by the hash of what was attacked or where
 * from.
 */
export function access({ words }: Dialect): readonly Sql[] {
  return [
    sql`create table unique_values (
      scope ${words.text} not null,
      name ${words.text} not null,
      value ${words.text} not null,
      document ${words.rowReference} not null,
      primary key (scope, name, value)
    )`,
    sql`create index unique_values_of_document on unique_values (document)`,
    sql`create table tokens (
      hash ${words.text} primary key,
      user_id ${words.text} not null,
      kind ${words.text} not null,
      state ${words.text} not null,
      created_at ${words.text} not null,
      expires_at ${words.text} not null
    )`,
    sql`create index tokens_of_user on tokens (user_id)`,
    sql`create index tokens_by_end on tokens (expires_at)`,
    sql`create table throttle (
      key ${words.text} primary key,
      failures integer not null,
      since ${words.number} not null,
      blocks integer not null,
      until ${words.number} not null
    )`,
    sql`create index throttle_by_end on throttle (until)`,
    sql`alter table api_keys add column user_id ${words.text}`,
    sql`create index api_keys_of_user on api_keys (user_id)`,
    sql`insert into meta (name, value) values ('accounts', '')`,
  ]
}
