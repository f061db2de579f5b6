import type { ColumnType, Dialect, Hits, SearchRow } from '../database/connection.ts'
import { type Cell, joined, literal, quotedName, Sql, sql } from '../database/sql.ts'
import { contentHash } from '../database/stored-content.ts'
import type { SearchScope } from '../terms/search-query.ts'

const DUPLICATE = 2067
/** Up to this number values are separate parameters. */
const FEW_ROWS = 32
const FEW_VALUES = 8

/** Row numbers of the search index: scope, then the document's row number, then its state in two bits. */
const SCOPE_SHIFT = 39
const ROW_MASK = 2 ** 37 - 1
const SEARCH_ROW = sql`((search.rowid >> 2) & ${literal(ROW_MASK)})`

/** How many pages of the search index are merged at a time: some milliseconds, in which nobody else writes. */
const MERGED_PAGES = 16
/**
 * Segments of the search index are merged eight at a time, and one alone when 40 % of its rows were removed: with the
 * defaults, four and ten, a changed document costs half as much again.
 */
const MERGING = [
  ['automerge', 0],
  ['usermerge', 8],
  ['deletemerge', 40],
] as const

/** SQLite's dialect. */
export const sqliteDialect: Dialect = {
  table: (alias, columns, rows) => {
    if (rows.length > 0 && rows.length <= FEW_ROWS) return valuesTable(alias, Object.keys(columns), rows)
    const cells = Object.keys(columns).map((name, index) => sql`value ->> ${literal(index)} as ${quotedName(name)}`)
    return sql`(select ${joined(cells)} from json_each(${JSON.stringify(rows)})) as ${quotedName(alias)}`
  },
  oneOf,
  rowsIn: (text) => sql`json_each(${text}) as i`,
  rowsText: (rows) => `[${rows.join(',')}]`,
  jsonList: (expression, where = sql`true`) => sql`json_group_array(${expression}) filter (where ${where})`,
  jsonOf: (expressions) => sql`json_array(${joined(expressions)})`,
  textIn: (json, name) => sql`${json} ->> ${name}`,
  withoutNames: (json, names) => sql`json_remove(${json}, ${joined(names.map((name) => `$."${name}"`))})`,
  contentHash: (text) => sql`content_hash(${text})`,
  joinInOrder: sql`cross join`,
  joinEach: (table, id, chosen) => sql`cross join ${table} on ${id} in (${chosen})`,
  unindexed: (expression) => sql`+${expression}`,
  forUpdate: sql``,
  forUpdateOfFree: sql``,
  hasWaited: false,
  words: {
    rowNumber: sql`integer primary key autoincrement`,
    rowReference: sql`integer`,
    text: sql`text`,
    number: sql`real`,
    bytes: sql`blob`,
  },
  isDuplicate: (error) => error instanceof Error && 'errcode' in error && error.errcode === DUPLICATE,
  moveFences: () => [],
  metaRow: sql`select 1 from sqlite_master where name = 'meta'`,
  extras: [],
  copying: {
    ownTables: ['changes', 'search', 'search_rows', 'search_scopes', 'secrets', 'spellings'],
    withoutTimeouts: [],
    reading: {
      open: () => [],
      next: (rows, after, count) =>
        sql`select rowid as "#", ${rows} where rowid > ${after} order by rowid limit ${literal(count)}`,
      close: [],
    },
    hexOf: (bytes) => sql`lower(hex(${bytes}))`,
    bytesOf: (hex) => sql`unhex(${hex})`,
    withRowNumbers: sql``,
    lastRowNumber: (table) => sql`select seq as last from sqlite_sequence where name = ${table}`,
    setLastRowNumber: (table, _column, last) => [
      sql`delete from sqlite_sequence where name = ${table}`,
      sql`insert into sqlite_sequence (name, seq) values (${table}, ${last})`,
    ],
  },
  changes: [sql`create table changes (n integer primary key, process text not null, change text)`],
  countsAsContent: () => [],
  search: {
    // Prefixes of up to four letters have an index of their own, as many words have them. Older databases have it for
    // two letters, and find the same.
    tables: [
      sql`create virtual table search using fts5(
        words, content='', contentless_delete=1, detail=none, prefix='2 3 4', tokenize="ascii tokenchars '~_'"
      )`,
      sql`create table search_scopes (
        id integer primary key,
        type text not null,
        locale text not null,
        mode text not null,
        unique (type, locale, mode)
      )`,
      sql`create table search_rows (document integer primary key, place integer not null)`,
    ],
    row: SEARCH_ROW,
    where: (hits) => whereHits(hits, 0),
    part: partOfHits,
    hashes: [sql`alter table search_rows add column hash text`],
    merging: MERGING.map(([name, value]) => {
      return sql`insert into search (search, rank) values (${name}, ${literal(value)})`
    }),
    put: putWords,
    forget: (numbers) => [sql`update search_rows set hash = null where ${oneOf(sql`document`, numbers, 'integer')}`],
    remove: removeWords,
    merge: sql`insert into search (search, rank) values ('merge', ${literal(MERGED_PAGES)})`,
    changedRows: sql`select total_changes() as count`,
  },
}

/** A few rows as values: faster than reading JSON, but each number of rows is another statement. */
function valuesTable(alias: string, names: readonly string[], rows: readonly (readonly Cell[])[]): Sql {
  const columns = names.map((name, index) => `column${index + 1} as "${name}"`).join(', ')
  const cells = rows.flat()
  const between = cells.slice(1).map((_, index) => ((index + 1) % names.length === 0 ? '), (' : ', '))
  return new Sql([`(select ${columns} from (values (`, ...between, `))) as "${alias}"`], cells)
}

function oneOf(expression: Sql, values: readonly Cell[], _type: ColumnType): Sql {
  if (values.length === 1) return sql`${expression} = ${values[0]}`
  if (values.length > 0 && values.length <= FEW_VALUES) return sql`${expression} in (${joined(values)})`
  return sql`${expression} in (select value from json_each(${JSON.stringify(values)}))`
}

/** The rows with a beginning that has no index of its own are all gathered first, whichever are wanted. */
function partOfHits(hits: Hits, after: number, count: number): Sql | null {
  const { words, isPrefix } = hits.search
  const isIndexed = (beginning: string) => [2, 3, 4].includes([...beginning].length)
  if (isPrefix && words.at(-1)?.every(isIndexed) !== true) return null
  return sql`select ${SEARCH_ROW} as n from search where ${whereHits(hits, after + 1)}
    order by search.rowid limit ${literal(count)}`
}

/** Hits from a row number on. The index takes no bounds but integers, and numbers are bound as real ones. */
function whereHits({ scope, states, search }: Hits, first: number): Sql {
  if (search.words.length === 0 || search.words.some((forms) => forms.length === 0)) return sql`false`
  const last = search.words.length - 1
  const words = search.words.map((forms, index) => {
    const isBeginning = search.isPrefix && index === last
    return `(${forms.map((form) => `"${form.replaceAll('"', '""')}"${isBeginning ? ' *' : ''}`).join(' OR ')})`
  })
  const id = sql`(select id from search_scopes where ${isScope(scope)})`
  const shift = literal(SCOPE_SHIFT)
  const inStates = states.length === 4 ? sql`` : sql`and (search.rowid & 3) in (${joined(states.map(literal))})`
  return sql`search match ${words.join(' AND ')}
    and search.rowid >= (${id} << ${shift}) + (cast(${first} as integer) << 2) and search.rowid < ((${id} + 1) << ${shift}) ${inStates}`
}

function isScope(scope: SearchScope): Sql {
  return sql`type = ${scope.type} and locale = ${scope.locale} and mode = ${scope.mode}`
}

/**
 * Writes the words of documents. Any other statement makes the index flush the words written before it, which is most
 * of the work; so rows whose words will be written are marked first, by having no hash.
 */
function putWords(rows: readonly SearchRow[]): readonly Sql[] {
  const { table } = sqliteDialect
  const numbers = rows.map(({ row }) => row)
  const searchRow = sql`((s.id << ${literal(SCOPE_SHIFT)}) | (d.n << 2) | (d.archived << 1) | (d.visibility = 'loginRequired'))`
  const scopes = sql`documents d join search_scopes s on s.type = d.type and s.locale = d.locale and s.mode = d.mode`
  const hashed = rows.map(({ row, words }) => [row, contentHash(words)])
  const hashes = table('h', { n: 'integer', hash: 'text' }, hashed)
  const words = table(
    'w',
    { n: 'integer', words: 'text' },
    rows.map(({ row, words }) => [row, words]),
  )
  return [
    sql`insert into search_scopes (type, locale, mode)
      select distinct type, locale, mode from documents where ${oneOf(sql`n`, numbers, 'integer')}
      on conflict do nothing`,
    sql`delete from search where rowid in (
      select r.place from ${scopes} join search_rows r on r.document = d.n and r.place <> ${searchRow}
      where ${oneOf(sql`d.n`, numbers, 'integer')})`,
    sql`insert or replace into search_rows (document, place, hash)
      select d.n, ${searchRow}, (
        select r.hash from search_rows r where r.document = d.n and r.place = ${searchRow} and r.hash = h.hash)
      from ${hashes} cross join ${scopes} where d.n = h.n`,
    // By row number: the index flushes its buffer whenever a lower one comes.
    sql`insert or replace into search (rowid, words)
      select r.place, w.words from ${words} join search_rows r on r.document = w.n where r.hash is null order by r.place`,
    sql`update search_rows set hash = h.hash from ${hashes} where document = h.n and search_rows.hash is null`,
  ]
}

function removeWords(numbers: readonly number[]): readonly Sql[] {
  const found = oneOf(sql`document`, numbers, 'integer')
  return [
    sql`delete from search where rowid in (select place from search_rows where ${found})`,
    sql`delete from search_rows where ${found}`,
  ]
}
