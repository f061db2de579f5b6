import type { Dialect } from '../database/connection.ts'
import { type Sql, sql } from '../database/sql.ts'
import { ByRange } from './by-range.ts'

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

/**
 * Lists by state, by the time of the last publication, and by who saved a document last, each found in an index alone.
 */
export function documentStates({ words, textIn }: Dialect): readonly (Sql | ByRange)[] {
  return [
    sql`alter table documents add column updated_by_id ${words.text}`,
    new ByRange(sql`documents`, sql`documents.n`, (range) => [
      sql`update documents set updated_by_id = ${textIn(sql`documents.updated_by`, '_id')} where ${range}`,
    ]),
    sql`create index documents_by_publication on documents
      (type, locale, last_published_at, n, mode, archived, visibility, modified)`,
    sql`create index documents_by_editor on documents (type, locale, updated_by_id, n, mode, archived, visibility)`,
  ]
}
