import type { Dialect } from '../database/connection.ts'
import { quotedName, type Sql, sql } from '../database/sql.ts'
import { ByRange } from './by-range.ts'

/** A table of changes, where processes do not hear of each other's through the database itself. */
export function changes({ changes }: Dialect): readonly Sql[] {
  return changes
}

/** The content migrations of a site that have run here, or have begun to (§2.14); `progress` is JSON. */
export function contentMigrations({ words }: Dialect): readonly Sql[] {
  return [
    sql`create table content_migrations (
      name ${words.text} primary key,
      checksum ${words.text} not null,
      started_at ${words.text} not null,
      finished_at ${words.text},
      progress ${words.text} not null
    )`,
  ]
}

/** Jobs that one of all processes runs at their times: when they are due, and who runs them (§6.4). */
export function jobs({ words }: Dialect): readonly Sql[] {
  return [
    sql`create table jobs (
      name ${words.text} primary key,
      due ${words.number} not null,
      holder ${words.text},
      until ${words.number} not null,
      started_at ${words.number},
      ended_at ${words.number},
      failures integer not null,
      error ${words.text}
    )`,
  ]
}

/** Receivers of events outside, and what was or is to be sent to them (§6.7). */
export function webhooks({ words }: Dialect): readonly Sql[] {
  return [
    sql`create table webhooks (
      id ${words.text} primary key,
      url ${words.text} not null,
      events ${words.text} not null,
      types ${words.text} not null,
      secret ${words.text} not null,
      enabled integer not null,
      created_at ${words.text} not null
    )`,
    sql`create table webhook_deliveries (
      n ${words.rowNumber},
      id ${words.text} not null unique,
      webhook_id ${words.text} not null,
      event ${words.text} not null,
      body ${words.text} not null,
      status ${words.text} not null,
      attempts integer not null,
      due ${words.number} not null,
      leased_until ${words.number} not null,
      created_at ${words.number} not null,
      sent_at ${words.number},
      answered integer,
      error ${words.text}
    )`,
    sql`create index webhook_deliveries_waiting on webhook_deliveries (webhook_id, n) where status = 'pending'`,
    sql`create index webhook_deliveries_of on webhook_deliveries (webhook_id, n)`,
    sql`create index webhook_deliveries_by_age on webhook_deliveries (created_at)`,
  ]
}

/** Creates the table of secrets, which no backup has. */
export function secrets({ words }: Dialect): readonly Sql[] {
  return [sql`create table secrets (name ${words.text} primary key, value ${words.text} not null)`]
}

/** Creates the table of schedules (§3.9). */
export function schedules({ words }: Dialect): readonly Sql[] {
  return [
    sql`create table schedules (
      doc_id ${words.text} not null,
      locale ${words.text} not null,
      publish_at ${words.number},
      archive_at ${words.number},
      actor ${words.text} not null,
      failure ${words.text},
      primary key (doc_id, locale)
    )`,
    sql`create index schedules_by_publication on schedules (publish_at) where publish_at is not null`,
    sql`create index schedules_by_archiving on schedules (archive_at) where archive_at is not null`,
  ]
}

/** Hashes by which search knows whether it has indexed the words of a document. */
export function searchHashes({ search }: Dialect): readonly Sql[] {
  return search.hashes
}

const LISTS = [
  ['documents_by_update', 'updated_at'],
  ['documents_by_creation', 'created_at'],
  ['documents_by_title', 'title_sort'],
  ['documents_by_slug', 'slug_folded'],
] as const

/**
 * The mode comes last in indexes. Draft and published copy mostly hold the same, and are side by side there now: a save
 * changes one page of each index instead of two. `scope` of an index row is type and locale; `state` has the mode, too.
 */
export function modeLast(_dialect: Dialect): readonly (Sql | ByRange)[] {
  return [...documents(), ...indexRows()]
}

function documents(): readonly Sql[] {
  return [
    sql`drop index documents_slug`,
    sql`create unique index documents_slug on documents (slug_scope, locale, slug_folded, mode) where archived = 0`,
    ...LISTS.flatMap(([name, key]) => [
      sql`drop index ${quotedName(name)}`,
      sql`create index ${quotedName(name)} on documents
        (type, locale, ${quotedName(key)}, n, mode, archived, visibility)`,
    ]),
  ]
}

function indexRows(): readonly (Sql | ByRange)[] {
  return [
    sql`drop index entries_by_text`,
    sql`drop index entries_by_number`,
    new ByRange(sql`documents`, sql`documents.n`, (range) => [
      sql`update entries set (scope, state) = (
          select d.type || ':' || d.locale, entries.state + case d.mode when 'draft' then 4 else 0 end
          from documents d where d.n = entries.document)
        where document in (select documents.n from documents where ${range})`,
    ]),
    sql`create index entries_by_text on entries (scope, name, text, document, state, place, number)`,
    sql`create index entries_by_number on entries (scope, name, number, document, state, place)
      where number is not null`,
  ]
}

/**
 * The search index merges its lists of words in short steps of its own, and not while documents are indexed.
 */
export function searchMerges({ search }: Dialect): readonly Sql[] {
  return search.merging
}

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
