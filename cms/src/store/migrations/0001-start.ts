import type { Dialect } from '../database/dialect.ts'
import { quotedName, type Sql, sql } from '../database/sql.ts'

/**
 * The first tables.
 *
 * `documents`: a row for each copy. Lists are walked in the indexes alone, which therefore end in what views look at.
 * `entries`: what lists find documents by. `scope` (type, locale, mode) and `state` (archived, visibility) repeat what
 * the document says, so that counting and sorting by a field read one index only; `place` numbers the values of a name.
 */
export function start(dialect: Dialect): readonly Sql[] {
  return [
    ...documents(dialect),
    ...entries(dialect),
    ...versions(dialect),
    ...access(dialect),
    ...dialect.search.tables,
    ...dialect.extras,
  ]
}

function documents({ words }: Dialect): readonly Sql[] {
  const list = (name: string, key: string) => sql`
    create index ${quotedName(name)} on documents (type, locale, mode, ${quotedName(key)}, n, archived, visibility)`
  return [
    sql`create table documents (
      n ${words.rowNumber},
      doc_id ${words.text} not null,
      locale ${words.text} not null,
      mode ${words.text} not null,
      type ${words.text} not null,
      slug_scope ${words.text} not null,
      slug ${words.text} not null,
      slug_folded ${words.text} not null,
      title ${words.text} not null,
      title_folded ${words.text} not null,
      title_sort ${words.text} not null,
      visibility ${words.text} not null,
      archived integer not null,
      created_at ${words.text} not null,
      updated_at ${words.text} not null,
      updated_by ${words.text} not null,
      last_published_at ${words.text},
      modified integer not null,
      revision integer not null,
      search_stale integer not null,
      body ${words.text} not null
    )`,
    sql`create unique index documents_identity on documents (doc_id, locale, mode)`,
    sql`create unique index documents_slug on documents (slug_scope, locale, mode, slug_folded) where archived = 0`,
    sql`create index documents_unsearched on documents (n) where search_stale = 1`,
    list('documents_by_update', 'updated_at'),
    list('documents_by_creation', 'created_at'),
    list('documents_by_title', 'title_sort'),
    list('documents_by_slug', 'slug_folded'),
  ]
}

function entries({ words }: Dialect): readonly Sql[] {
  return [
    sql`create table entries (
      document ${words.rowReference} not null,
      scope ${words.text} not null,
      state integer not null,
      kind ${words.text} not null,
      name ${words.text} not null,
      place integer not null,
      text ${words.text},
      number ${words.number}
    )`,
    sql`create index entries_of_document on entries (document, name, place, text, number)`,
    sql`create index entries_by_text on entries (scope, name, text, document, state, place, number)`,
    sql`create index entries_by_number on entries (scope, name, number, document, state, place)
      where number is not null`,
  ]
}

function versions({ words }: Dialect): readonly Sql[] {
  return [
    sql`create table version_contents (
      doc_id ${words.text} not null,
      hash ${words.text} not null,
      data ${words.bytes} not null,
      primary key (doc_id, hash)
    )`,
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
      autosave integer not null,
      content ${words.text} not null,
      foreign key (doc_id, content) references version_contents (doc_id, hash)
    )`,
    sql`create index versions_of_document on versions (doc_id, locale, created_at, id)`,
    sql`create index versions_of_content on versions (doc_id, content)`,
  ]
}

function access({ words }: Dialect): readonly Sql[] {
  return [
    sql`create table api_keys (
      id ${words.text} primary key,
      name ${words.text} not null,
      role ${words.text} not null,
      ai integer not null,
      drafts_only integer not null,
      hash ${words.text} not null unique,
      created_at ${words.text} not null,
      expires_at ${words.text},
      revoked_at ${words.text}
    )`,
    sql`create table attachments (
      id ${words.text} primary key,
      data ${words.text} not null
    )`,
  ]
}
