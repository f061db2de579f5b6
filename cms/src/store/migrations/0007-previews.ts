import type { Dialect } from '../database/dialect.ts'
import { type Sql, sql } from '../database/sql.ts'

/** Previews of drafts (§4.2b): tokens, as hashes, that show one draft to whoever has them. */
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
