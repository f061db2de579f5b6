import type { Dialect } from '../database/dialect.ts'
import { type Sql, sql } from '../database/sql.ts'

/**
 * Media. `attachments`: uploaded files; which documents use them is in `entries`. `version_attachments`: which of them
 * the contents of versions name. The attachments of the first tables were never written.
 */
export function media(dialect: Dialect): readonly Sql[] {
  const { words } = dialect
  return [
    sql`drop table attachments`,
    sql`create table attachments (
      id ${words.text} primary key,
      file_group ${words.text} not null,
      name ${words.text} not null,
      title ${words.text} not null,
      extension ${words.text} not null,
      length integer not null,
      md5 ${words.text} not null,
      width integer,
      height integer,
      frames integer,
      crops ${words.text} not null,
      created_at ${words.text} not null,
      updated_at ${words.text} not null,
      uploaded_by ${words.text}
    )`,
    sql`create index entries_of_attachment on entries (text, document) where kind = 'attachment'`,
    sql`create table version_attachments (
      doc_id ${words.text} not null,
      content ${words.text} not null,
      attachment ${words.text} not null,
      primary key (doc_id, content, attachment),
      foreign key (doc_id, content) references version_contents (doc_id, hash) on delete cascade
    )`,
    sql`create index version_attachments_by_attachment on version_attachments (attachment)`,
    ...dialect.countsAsContent('attachments', 'crops'),
  ]
}
