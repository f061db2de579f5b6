import type { Dialect } from '../database/dialect.ts'
import { type Sql, sql } from '../database/sql.ts'

/**
 * Versions that are listed (§4.4). `undo`: it took a publication back. `label`: a name that somebody gave a version;
 * `data`: what a hook added (JSON). Whether a version was autosaved decided nothing. Timelines are walked in their
 * index alone, which therefore ends in what consolidation looks at; the other indexes are those of the newest versions
 * of all documents.
 */
export function versions({ words }: Dialect): readonly Sql[] {
  return [
    sql`alter table versions drop column autosave`,
    sql`alter table versions add column undo integer not null default 0`,
    sql`alter table versions add column label ${words.text}`,
    sql`alter table versions add column data ${words.text}`,
    sql`drop index versions_of_document`,
    sql`create index versions_of_document on versions
      (doc_id, locale, created_at, id, mode, author_id, ai, restored_from)`,
    sql`create index versions_by_time on versions (created_at, id)`,
    sql`create index versions_by_author on versions (author_id, created_at, id)`,
    sql`create index versions_by_type on versions (type, created_at, id)`,
    sql`create index versions_by_ai on versions (created_at, id) where ai = 1`,
  ]
}
