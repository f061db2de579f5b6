import type { Dialect } from '../database/connection.ts'
import { type Sql, sql } from '../database/sql.ts'

/**
 * The words that search knows, forwards and backwards: what begins or ends alike is found in an index. And how often
 * the titles have changed that a document is found by.
 */
export function searchWords({ words }: Dialect): readonly Sql[] {
  return [
    sql`create table spellings (word ${words.text} primary key, backwards ${words.text} not null)`,
    sql`create index spellings_backwards on spellings (backwards)`,
    sql`alter table documents add column title_changes integer not null default 0`,
  ]
}
