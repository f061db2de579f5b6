import type { Dialect } from '../database/dialect.ts'
import { type Sql, sql } from '../database/sql.ts'
import { ByRange } from './by-range.ts'

/**
 * Drafts remember that their document was published, also when it is unpublished. Only those that never were are
 * written: what was published and is not any more has a publication among its versions.
 */
export function wasPublished(_dialect: Dialect): readonly (Sql | ByRange)[] {
  return [
    sql`alter table documents add column was_published integer not null default 1`,
    new ByRange(sql`documents`, sql`documents.n`, (range) => [
      sql`update documents set was_published = 0
        where ${range} and mode = 'draft' and last_published_at is null
          and not exists (select 1 from documents p
            where p.doc_id = documents.doc_id and p.locale = documents.locale and p.mode = 'published')
          and not exists (select 1 from versions v
            where v.doc_id = documents.doc_id and v.locale = documents.locale and v.mode = 'published')`,
    ]),
  ]
}
