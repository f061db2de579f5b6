import type { Mode } from '../model/document.ts'
import { contentHash } from './content.ts'
import type { Cell, ColumnType, Dialect, Hits, SearchRow } from './dialect.ts'
import { joined, literal, quotedName, Sql, sql } from './sql.ts'

const DUPLICATE = 2067
/** Up to this number values are separate parameters. */
const FEW_ROWS = 32
const FEW_VALUES = 8

/**
 * Row numbers of the search index: scope, then the document's row number, then its state in two bits. A draft whose
 * published copy has the next row number, the same words and the same state shares one row with it: in the scope of the
 * mode `both`, by the draft's row number.
 */
const SCOPE_SHIFT = 39
const ROW_MASK = 2 ** 37 - 1

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
  hasWaited: false,
  words: {
    rowNumber: sql`integer primary key autoincrement`,
    rowReference: sql`integer`,
    text: sql`text`,
    number: sql`real`,
    bytes: sql`blob`,
  },
  isDuplicate: (error) => error instanceof Error && 'errcode' in error && error.errcode === DUPLICATE,
  extras: [],
  copying: {
    ownTables: ['changes', 'search', 'search_rows', 'search_scopes'],
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
    // Prefixes of up to four letters have an index of their own, as many words have them. Older databases have it for two
    // letters, and find the same.
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
    rows: (hits) => sql`${hitRows(hits, hits.scope.mode, 0)} union all ${hitRows(hits, 'both', 0)}`,
    part: partOfHits,
    hashes: [sql`alter table search_rows add column hash text`],
    merging: MERGING.map(([name, value]) => {
      return sql`insert into search (search, rank) values (${name}, ${literal(value)})`
    }),
    moved: movedRows,
    sharing: sharingRows,
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
  const part = (mode: SearchMode) =>
    sql`select * from (${hitRows(hits, mode, after + 1)} order by search.rowid limit ${literal(count)})`
  return sql`select n from (${part(hits.scope.mode)} union all ${part('both')}) order by n limit ${literal(count)}`
}

type SearchMode = Mode | 'both'

/** The row numbers of hits, `n`, from one on: of those with a row of their own, or of those that share one. */
function hitRows(hits: Hits, mode: SearchMode, first: number): Sql {
  const offset = mode === 'both' && hits.scope.mode === 'published' ? 1 : 0
  return sql`select ((search.rowid >> 2) & ${literal(ROW_MASK)}) + ${literal(offset)} as n
    from search where ${whereHits(hits, mode, Math.max(0, first - offset))}`
}

/** Hits from a row number on. The index takes no bounds but integers, and numbers are bound as real ones. */
function whereHits({ scope, states, search }: Hits, mode: SearchMode, first: number): Sql {
  if (search.words.length === 0 || search.words.some((forms) => forms.length === 0)) return sql`false`
  const last = search.words.length - 1
  const words = search.words.map((forms, index) => {
    const isBeginning = search.isPrefix && index === last
    return `(${forms.map((form) => `"${form.replaceAll('"', '""')}"${isBeginning ? ' *' : ''}`).join(' OR ')})`
  })
  const id = sql`coalesce((select id from search_scopes
    where type = ${scope.type} and locale = ${scope.locale} and mode = ${mode}), -1)`
  const shift = literal(SCOPE_SHIFT)
  const inStates = states.length === 4 ? sql`` : sql`and (search.rowid & 3) in (${joined(states.map(literal))})`
  return sql`search match ${words.join(' AND ')}
    and search.rowid >= (${id} << ${shift}) + (cast(${first} as integer) << 2) and search.rowid < ((${id} + 1) << ${shift}) ${inStates}`
}

/** Documents `d`, where their rows are to be (`place`), and the row that there is of each (`r`). */
function placesOf(rows: readonly SearchRow[]): { readonly place: Sql; readonly from: Sql } {
  const words = new Map(rows.map(({ row, words }) => [row, words]))
  const cells = rows.map((one) => {
    const hasWordsOf = (other: number) => (words.get(other) === one.words ? 1 : 0)
    return [one.row, contentHash(one.words), hasWordsOf(one.row + 1), hasWordsOf(one.row - 1)]
  })
  const columns = { n: 'integer', hash: 'text', as_next: 'integer', as_last: 'integer' } as const
  const state = sql`(d.archived << 1) | (d.visibility = 'loginRequired')`
  const own = sql`((s.id << ${literal(SCOPE_SHIFT)}) | (d.n << 2) | ${state})`
  const shared = sql`((b.id << ${literal(SCOPE_SHIFT)}) | (min(d.n, q.n) << 2) | ${state})`
  const isShared = sql`q.n is not null and (
    case d.mode when 'draft' then h.as_next else h.as_last end = 1 or (r.place = ${shared} and r.hash = h.hash))`
  return {
    place: sql`case when ${isShared} then ${shared} else ${own} end`,
    from: sql`${sqliteDialect.table('h', columns, cells)} cross join documents d on d.n = h.n
      left join search_scopes s on s.type = d.type and s.locale = d.locale and s.mode = d.mode
      left join search_scopes b on b.type = d.type and b.locale = d.locale and b.mode = 'both'
      left join documents q on q.n = d.n + case d.mode when 'draft' then 1 else -1 end
        and q.doc_id = d.doc_id and q.locale = d.locale and q.mode <> d.mode and q.type = d.type
        and q.archived = d.archived and q.visibility = d.visibility
      left join search_rows r on r.document = d.n`,
  }
}

function movedRows(rows: readonly SearchRow[]): Sql<{ n: number }> {
  const { place, from } = placesOf(rows)
  return sql`select d.n from ${from} where r.place <> ifnull(${place}, -1)`
}

/** Those that share a row have row numbers side by side. */
function sharingRows(numbers: readonly number[]): Sql<{ n: number }> {
  return sql`select other.document as n from search_rows r
    cross join search_rows other on other.document in (r.document - 1, r.document + 1) and other.place = r.place
    where ${oneOf(sql`r.document`, numbers, 'integer')} and not ${oneOf(sql`other.document`, numbers, 'integer')}`
}

/**
 * Any other statement makes the index flush the words written before it, which is most of the work. So rows whose words
 * will be written are marked first, by having no hash.
 */
function putWords(rows: readonly SearchRow[]): readonly Sql[] {
  const { table } = sqliteDialect
  const numbers = rows.map(({ row }) => row)
  const { place, from } = placesOf(rows)
  const hashes = table(
    'h',
    { n: 'integer', hash: 'text' },
    rows.map(({ row, words }) => [row, contentHash(words)]),
  )
  const words = table(
    'w',
    { n: 'integer', words: 'text' },
    rows.map(({ row, words }) => [row, words]),
  )
  const isGiven = oneOf(sql`n`, numbers, 'integer')
  return [
    sql`insert into search_scopes (type, locale, mode)
      select type, locale, mode from documents where ${isGiven}
      union select type, locale, 'both' from documents where ${isGiven}
      on conflict do nothing`,
    sql`insert or replace into search_rows (document, place, hash)
      select d.n, ${place}, case when r.place = ${place} and r.hash = h.hash then r.hash end from ${from}`,
    // By row number: the index flushes its buffer whenever a lower one comes. Rows that are shared have the same words.
    sql`insert or replace into search (rowid, words)
      select r.place, w.words from ${words} join search_rows r on r.document = w.n
      where r.hash is null group by r.place order by r.place`,
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
