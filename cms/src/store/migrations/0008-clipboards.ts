import type { Dialect } from '../database/dialect.ts'
import { type Sql, sql } from '../database/sql.ts'

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
