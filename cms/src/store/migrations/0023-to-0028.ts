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

/**
 * Changes of drafts that wait for a person (§4.9): `base` and `proposed` hold the values that they lie between, and
 * `decisions` what was decided about each of them. Versions name the proposal that was accepted.
 */
export function proposals({ words }: Dialect): readonly Sql[] {
  return [
    sql`create table proposals (
      id ${words.text} primary key,
      doc_id ${words.text} not null,
      locale ${words.text} not null,
      type ${words.text} not null,
      title ${words.text} not null,
      reason ${words.text} not null,
      state ${words.text} not null,
      maker_kind ${words.text} not null,
      maker_id ${words.text} not null,
      maker_name ${words.text} not null,
      maker_role ${words.text} not null,
      ai integer not null,
      revision integer not null,
      base ${words.text} not null,
      proposed ${words.text} not null,
      decisions ${words.text} not null,
      created_at ${words.text} not null,
      decided_at ${words.text},
      expires_at ${words.text} not null
    )`,
    sql`create index proposals_by_time on proposals (state, created_at, id)`,
    sql`create index proposals_of_document on proposals (doc_id, locale, state)`,
    sql`create index proposals_of_maker on proposals (maker_id, state)`,
    sql`create index proposals_by_expiry on proposals (expires_at)`,
    sql`alter table versions add column proposal ${words.text}`,
  ]
}

/** Creates the table of the calls of agents, without what they said (§4.10). */
export function agentCalls({ words }: Dialect): readonly Sql[] {
  return [
    sql`create table agent_calls (
      n ${words.rowNumber},
      id ${words.text} not null unique,
      at ${words.number} not null,
      key_id ${words.text} not null,
      key_name ${words.text} not null,
      tool ${words.text} not null,
      doc_id ${words.text},
      result ${words.text} not null
    )`,
    sql`create index agent_calls_by_age on agent_calls (at)`,
  ]
}

/**
 * Facts about agents that all processes share (§4.10): how much of its minute each key has used, links for one upload each, by
 * the hashes of their tokens, and the order of the calls of a key and of those that failed.
 */
export function agentsOfAll({ words }: Dialect): readonly Sql[] {
  return [
    sql`create table agent_minutes (
      key_id ${words.text} primary key,
      since ${words.number} not null,
      calls integer not null,
      characters ${words.number} not null
    )`,
    sql`create table upload_links (
      hash ${words.text} primary key,
      maker ${words.text} not null,
      name ${words.text} not null,
      most_bytes ${words.number} not null,
      expires_at ${words.text} not null
    )`,
    sql`create index upload_links_by_expiry on upload_links (expires_at)`,
    sql`create index agent_calls_of_key on agent_calls (key_id, n)`,
    sql`create index agent_calls_failed on agent_calls (n) where result <> 'ok'`,
  ]
}

/** Creates the table of names that are still to be purged from a cache in front of the site (§6.8). */
export function purges({ words }: Dialect): readonly Sql[] {
  return [
    sql`create table purges (
      n ${words.rowNumber},
      names ${words.text},
      due ${words.number} not null,
      is_repeated integer not null
    )`,
    sql`create index purges_by_due on purges (due)`,
  ]
}
