import type { Dialect } from '../database/connection.ts'
import { type Sql, sql } from '../database/sql.ts'
import { OUTSIDE_CONTENT } from '../database/stored-content.ts'
import { ByRange } from './by-range.ts'

/**
 * Contents of their own. `contents`: what documents and versions hold, equal ones of one document once: as JSON
 * (`body`), or compressed (`packed`) where only versions have it. A slug is not in it, but in copies and versions
 * themselves; it is in what versions held before, which therefore have none (null). `bytes`: how long the JSON of a document
 * is.
 */
export function contents(dialect: Dialect): readonly (Sql | ByRange)[] {
  return [
    ...table(dialect),
    ...locks(dialect),
    documents(dialect),
    sql`alter table documents drop column body`,
    ...versions(dialect),
    ...attachments(dialect),
  ]
}

function table({ words }: Dialect): readonly Sql[] {
  return [
    sql`create table contents (
      n ${words.rowNumber},
      doc_id ${words.text} not null,
      hash ${words.text} not null,
      body ${words.text},
      packed ${words.bytes}
    )`,
    sql`create unique index contents_by_hash on contents (doc_id, hash)`,
  ]
}

/** First, so that no other process writes to what is being copied. */
function locks({ words }: Dialect): readonly Sql[] {
  return [
    sql`alter table documents add column copy_of ${words.text}`,
    sql`alter table documents add column content ${words.rowReference} not null default 0`,
    sql`alter table documents add column bytes integer not null default 0`,
    sql`alter table versions rename to former_versions`,
    sql`alter table version_attachments rename to former_version_attachments`,
  ]
}

/** Bodies move from documents to contents. Emptied at once, so that what follows takes their space. */
function documents({ withoutNames, contentHash, textIn }: Dialect): ByRange {
  const content = withoutNames(sql`documents.body`, OUTSIDE_CONTENT)
  return new ByRange(sql`documents`, sql`documents.n`, (range) => [
    sql`insert into contents (doc_id, hash, body)
      select b.doc_id, ${contentHash(sql`b.body`)}, b.body
      from (select documents.doc_id, ${content} as body from documents where ${range}) b
      where true on conflict do nothing`,
    sql`update documents set body = '', copy_of = ${textIn(sql`documents.body`, 'copyOfId')}, (content, bytes) = (
      select c.n, octet_length(c.body) from contents c
      where c.doc_id = documents.doc_id and c.hash = ${contentHash(content)}) where ${range}`,
  ])
}

function versions({ words }: Dialect): readonly (Sql | ByRange)[] {
  const columns = sql`id, doc_id, locale, mode, type, created_at, updated_at, author, author_id, ai, restored_from, undo,
    label, data, earlier_at`
  const numberOf = (hash: Sql) => sql`(select c.n from contents c where c.doc_id = v.doc_id and c.hash = ${hash})`
  return [
    new ByRange(sql`version_contents`, sql`version_contents.doc_id`, (range) => [
      sql`insert into contents (doc_id, hash, packed) select doc_id, hash, data from version_contents where ${range}`,
    ]),
    sql`create table versions (
      id ${words.text} primary key,
      doc_id ${words.text} not null,
      locale ${words.text} not null,
      mode ${words.text} not null,
      type ${words.text} not null,
      created_at ${words.text} not null,
      updated_at ${words.text},
      author ${words.text} not null,
      author_id ${words.text},
      ai integer not null,
      restored_from ${words.text},
      undo integer not null,
      label ${words.text},
      data ${words.text},
      slug ${words.text},
      content ${words.rowReference} not null references contents (n),
      earlier_slug ${words.text},
      earlier_content ${words.rowReference} references contents (n),
      earlier_at ${words.text}
    )`,
    sql`insert into versions (${columns}, content, earlier_content)
      select ${columns}, ${numberOf(sql`v.content`)}, ${numberOf(sql`v.earlier_content`)} from former_versions v`,
  ]
}

/** References to the former contents go with them. */
function attachments({ words }: Dialect): readonly Sql[] {
  return [
    sql`create table version_attachments (
      content ${words.rowReference} not null references contents (n) on delete cascade,
      attachment ${words.text} not null,
      primary key (content, attachment)
    )`,
    sql`insert into version_attachments (content, attachment)
      select c.n, a.attachment from former_version_attachments a
      join contents c on c.doc_id = a.doc_id and c.hash = a.content`,
    sql`drop table former_version_attachments`,
    sql`drop table former_versions`,
    sql`drop table version_contents`,
    sql`create index version_attachments_by_attachment on version_attachments (attachment)`,
    sql`create index versions_of_document on versions
      (doc_id, locale, created_at, id, mode, author_id, ai, restored_from)`,
    sql`create index versions_by_author on versions (author_id, created_at, id)`,
    sql`create index versions_by_type on versions (type, created_at, id)`,
    sql`create index versions_by_ai on versions (created_at, id) where ai = 1`,
    sql`create index versions_of_content on versions (content)`,
    sql`create index versions_of_earlier_content on versions (earlier_content) where earlier_content is not null`,
  ]
}
