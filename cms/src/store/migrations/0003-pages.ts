import type { Dialect } from '../database/dialect.ts'
import { type Sql, sql } from '../database/sql.ts'

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
