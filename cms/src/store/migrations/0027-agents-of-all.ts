import type { Dialect } from '../database/connection.ts'
import { type Sql, sql } from '../database/sql.ts'

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
