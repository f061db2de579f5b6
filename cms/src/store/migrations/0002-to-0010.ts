import type { Dialect } from '../database/connection.ts'
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

/**
 * Pages. `places`: where a page is in the tree of a locale, the same for its draft and its published copy; `path` is
 * the ids from the home page down, so that a subtree is one range of it. `former_urls`: slugs that published pages had.
 */
export function pages({ words }: Dialect): readonly Sql[] {
  return [
    sql`create table places (
      locale ${words.text} not null,
      doc_id ${words.text} not null,
      parent ${words.text} not null,
      path ${words.text} not null,
      level integer not null,
      rank integer not null,
      primary key (locale, doc_id)
    )`,
    sql`create unique index places_by_path on places (locale, path)`,
    sql`create index places_by_parent on places (locale, parent, rank)`,
    sql`create table former_urls (
      locale ${words.text} not null,
      slug ${words.text} not null,
      doc_id ${words.text} not null,
      since ${words.text} not null,
      primary key (locale, slug)
    )`,
    sql`create index former_urls_of_page on former_urls (locale, doc_id, since)`,
  ]
}

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

/**
 * `left_over_files`: attachments that have no row, but may have files: of uploads that have begun, and of attachments
 * that were removed. `due`: from when on the files may be removed.
 */
export function leftOverFiles({ words }: Dialect): readonly Sql[] {
  return [
    sql`create table left_over_files (
      attachment ${words.text} primary key,
      due ${words.text} not null
    )`,
  ]
}

/** Requests with an `Idempotency-Key` (§0.9): what they were answered, for a day. Times are milliseconds since 1970. */
export function idempotency({ words }: Dialect): readonly Sql[] {
  return [
    sql`create table idempotency (
      id ${words.text} primary key,
      body ${words.text} not null,
      since ${words.number} not null,
      until ${words.number} not null,
      committed integer not null,
      answer ${words.text}
    )`,
    sql`create index idempotency_by_age on idempotency (since)`,
  ]
}

/** Previews of drafts (§4.2b): tokens, as hashes, that show one draft to anyone who has them. */
export function previews({ words }: Dialect): readonly Sql[] {
  return [
    sql`create table previews (
      hash ${words.text} primary key,
      doc_id ${words.text} not null,
      locale ${words.text} not null,
      maker_kind ${words.text} not null,
      maker_id ${words.text} not null,
      created_at ${words.text} not null,
      expires_at ${words.text} not null
    )`,
    sql`create index previews_of_document on previews (doc_id, locale)`,
    sql`create index previews_by_expiry on previews (expires_at)`,
  ]
}

/** Clipboards on their way from one host of the site to another (§4.5), by the hash of the token that fetches each. */
export function clipboards({ words }: Dialect): readonly Sql[] {
  return [
    sql`create table clipboards (
      hash ${words.text} primary key,
      maker ${words.text} not null,
      content ${words.text} not null,
      created_at ${words.text} not null,
      expires_at ${words.text} not null
    )`,
    sql`create index clipboards_of_maker on clipboards (maker, created_at)`,
    sql`create index clipboards_by_expiry on clipboards (expires_at)`,
  ]
}

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

/**
 * The content of a version before autosaves replaced it, and from when on, where a translation was saved meanwhile: it is
 * compared with that (§4.5).
 */
export function earlierContents({ words }: Dialect): readonly Sql[] {
  return [
    sql`alter table versions add column earlier_content ${words.text}`,
    sql`alter table versions add column earlier_at ${words.text}`,
    sql`create index versions_of_earlier_content on versions (doc_id, earlier_content) where earlier_content is not null`,
  ]
}
