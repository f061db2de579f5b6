import type { Dialect } from '../database/dialect.ts'
import { quotedName, type Sql, sql } from '../database/sql.ts'
import { ByRange } from './by-range.ts'

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
