import type { Dialect, Hits } from '../database/connection.ts'
import { statesOf } from '../database/index-keys.ts'
import { directionOf, hasGaps, orderBy, sortKeys } from '../database/order.ts'
import { COLUMNS, isScheduleOf, TIMES } from '../database/rows.ts'
import { type KeyedRow, keyedRow } from '../database/sort-key.ts'
import { type Cell, columnsOf, joined, literal, quotedName, type Sql, sql } from '../database/sql.ts'
import { BODY } from '../database/stored-content.ts'
import type { DocumentRow } from '../database/tables.ts'
import type { Filter, Sort, SortColumn } from '../terms/document-query.ts'
import { testOf } from './conditions.ts'
import { isIndexRowOf, isShown, listOf, type Test } from './view-conditions.ts'

const IDENTITY = columnsOf<DocumentRow>('d', 'n', 'docId', 'locale', 'mode', 'type')
const STATE = columnsOf<DocumentRow>('d', 'slug', 'archived', 'visibility', 'copyOf', 'modified', 'revision')
const HISTORY = columnsOf<DocumentRow>('d', 'createdAt', 'updatedAt', 'updatedBy', 'lastPublishedAt', 'wasPublished')

const columnsWith = (body: Sql) => sql`${IDENTITY}, ${STATE}, ${body} as body, ${HISTORY}`

/** The columns of a document `d` that make it up. */
export const DOCUMENT = columnsWith(BODY)

/** The most bytes of the documents on one page of a list. */
export const PAGE_BYTES = 16 * 1024 * 1024

/** A document on a page. Its `body` is null when the page is too long. */
export type ListedRow = Omit<DocumentRow, 'body'> & { readonly body: string | null }

interface PageParts {
  /** Row numbers, as `n`. */
  readonly rows: Sql
  readonly mostBytes: number
  readonly isShown: Sql
}

/** Documents by row number; without bodies when these are longer than `mostBytes` together. */
export function pageSql({ rows, mostBytes, isShown }: PageParts, dialect: Dialect): Sql<ListedRow> {
  const fits = sql`select sum(b.bytes) <= ${mostBytes}
    from p ${dialect.joinInOrder} documents b on b.n = p.n`
  return sql`with p as (${rows})
    select ${columnsWith(sql`case when (${fits}) then ${BODY} end`)}
    from p ${dialect.joinInOrder} documents d on d.n = p.n where ${isShown}`
}

/** Row numbers as one JSON array; null for none. */
interface RowsText {
  readonly rows: string | null
}

/** A row number with the cells of its key, `s0` and so on. */
export type KeyRow = { readonly n: number } & { readonly [cell: string]: Cell }

/** A key of one cell, and the row that it is of. */
interface RangeEnd {
  readonly cell: string
  readonly row: number
}

/** How many rows between two keys are looked at, whether the view shows them or not. */
const MOST_BETWEEN = 500

/** Chooses the rows that blocks of an order begin with: one in about 32, however row numbers are spread. */
const BOUNDS = sql`(o.n * 40503) % 65536 < 2048`

/** Makes the statements of one query. Row numbers are found in indexes alone; then the rows of the page are read. */
export class QuerySql {
  readonly #query: Filter
  readonly #dialect: Dialect
  readonly #tests: readonly Test[]
  readonly #hits: Hits | null

  constructor(query: Filter, dialect: Dialect) {
    this.#query = query
    this.#dialect = dialect
    this.#tests = query.conditions.map((condition) => testOf(condition, query, dialect))
    const { search } = query
    this.#hits = search === undefined ? null : { scope: query, states: statesOf(query), search }
  }

  /** The row numbers (`n`) of all that match. */
  matches(): Sql<{ n: number }> {
    const driving = this.#drivingRows()
    const tests = this.#tests.filter((test) => test !== driving.test)
    const isBoth = this.#hits !== null && this.#query.docIds !== undefined
    if (driving.rows !== null && !isBoth && !tests.some((test) => test.needsDocument)) {
      return sql`select h.n from (${driving.rows}) h ${whereAll(tests.map((test) => test.holds(sql`h.n`)))}`
    }
    return sql`select d.n ${this.#from(driving)}`
  }

  /** The row numbers of all that match, as one array. */
  matchingRows(): Sql<RowsText> {
    return sql`select ${this.#dialect.jsonList(sql`m.n`)} as rows from (${this.matches()}) m`
  }

  /**
   * The row numbers of some hits of a search alone, after one of them and in order; null where all are found at once.
   */
  hitsAfter(row: number, count: number): Sql<RowsText> | null {
    const part = this.#hits && this.#dialect.search.part(this.#hits, row, count)
    return part && sql`select ${this.#dialect.jsonList(sql`m.n`)} as rows from (${part}) m`
  }

  /** Counts the documents that match. */
  count(): Sql<{ total: number }> {
    const isAll = this.#tests.length === 0 && this.#hits === null && this.#query.docIds === undefined
    if (isAll) return sql`select count(*) as total from documents d where ${isShown(this.#query)}`
    return sql`select count(*) as total from (${this.matches()}) m`
  }

  /** The sort keys of rows; `rows`: the text of their numbers. */
  keys(rows: string, sort: readonly Sort[]): Sql<KeyRow> {
    return this.#keys(rows, sort, [])
  }

  /** The sort keys of those of the rows that match. Not for searches, nor for queries by ids. */
  matchingKeys(rows: string, sort: readonly Sort[]): Sql<KeyRow> {
    return this.#keys(rows, sort, [isShown(this.#query), ...this.#tests.map((test) => test.holds(sql`d.n`))])
  }

  /**
   * The keys of the rows of the view from one key to another, both included: read from the index of a column alone.
   * Where the view shows few of the documents there, some of its rows may be missing.
   */
  keysBetween(from: RangeEnd, to: RangeEnd, column: SortColumn): Sql<KeyRow> {
    const { type, locale } = this.#query
    const key = quotedName(`x.${COLUMNS[column]}`)
    return sql`select d.n, d.key as s0 from (
        select x.n, ${key} as key, x.type, x.locale, x.mode, x.archived, x.visibility from documents x
        where x.type = ${type} and x.locale = ${locale}
          and (${key}, x.n) >= (${from.cell}, ${from.row}) and (${key}, x.n) <= (${to.cell}, ${to.row})
        order by ${key}, x.n limit ${literal(MOST_BETWEEN)}) d
      where ${isShown(this.#query)}`
  }

  #keys(rows: string, sort: readonly Sort[], tests: readonly Sql[]): Sql<KeyRow> {
    const { joinInOrder, rowsIn } = this.#dialect
    const { columns, joins } = keysOf(sort)
    return sql`select ${joined([sql`d.n`, ...columns])}
      from ${rowsIn(rows)} ${joinInOrder} documents d on d.n = i.value ${joins} ${whereAll(tests)}`
  }

  /**
   * The whole view in order: all rows, and some of them with their keys (`bounds`); by one key that documents may lack,
   * those that have it.
   */
  ordered(sort: readonly Sort[]): Sql<RowsText & { bounds: string | null }> {
    const [first, second] = sort
    const { columns, joins, order } = keysOf(sort)
    const all = sql`select ${joined([sql`d.n`, ...columns])}
      from documents d ${joins} where ${isShown(this.#query)} order by ${order}`
    const { jsonList, jsonOf } = this.#dialect
    const cells = jsonOf([sql`o.n`, ...sort.map((_, at) => quotedName(`o.s${at}`))])
    return sql`select ${jsonList(sql`o.n`)} as rows, ${jsonList(cells, BOUNDS)} as bounds
      from (${first && second === undefined && hasGaps(first) ? this.#valued(first) : all}) o`
  }

  /** The whole view by row number. */
  numbered(direction: 1 | -1): Sql<RowsText> {
    return sql`select ${this.#dialect.jsonList(sql`o.n`)} as rows from (
      select d.n from documents d where ${isShown(this.#query)} order by d.n ${directionOf(direction)}) o`
  }

  /** The documents of the view that have what they are sorted by, walked in its index. */
  #valued(sort: Sort): Sql {
    const direction = directionOf(sort.direction)
    if (sort.by === 'column') {
      const value = quotedName(`d.${COLUMNS[sort.column]}`)
      return sql`select d.n, ${value} as s0 from documents d where ${isShown(this.#query)} and ${value} is not null
        order by ${value} ${direction}, d.n ${direction}`
    }
    if (sort.by === 'schedule') {
      const value = quotedName(`t.${TIMES[sort.time]}`)
      return sql`select d.n, ${value} as s0 from schedules t
        ${this.#dialect.joinInOrder} documents d on ${isScheduleOf('d', 't')} and ${isShown(this.#query)}
        where ${value} is not null order by ${value} ${direction}, d.n ${direction}`
    }
    const value = quotedName(`e.${sort.value}`)
    return sql`select e.document as n, ${value} as s0 from entries e
      where ${isIndexRowOf(this.#query, sort.name, 'e')} and e.place = 0 and ${value} is not null
      order by ${value} ${direction}, e.document ${direction}`
  }

  /** The rows that drive the query: ids or hits, else the condition that usually finds the fewest. */
  #drivingRows(): DrivingRows {
    if (this.#query.docIds !== undefined) return { rows: this.#idRows(this.#query.docIds) }
    if (this.#hits !== null) return { rows: this.#hitRows(this.#hits) }
    const [test] = this.#tests
      .filter(({ rows }) => rows !== null)
      .sort((one, other) => one.selectivity - other.selectivity)
    return test === undefined ? { rows: null } : { rows: test.rows, test }
  }

  #from(driving: DrivingRows): Sql {
    const source =
      driving.rows === null
        ? sql`documents d`
        : sql`(${driving.rows}) h ${this.#dialect.joinInOrder} documents d on d.n = h.n`
    const tests = this.#tests.filter((test) => test !== driving.test).map((test) => test.holds(sql`d.n`))
    if (this.#hits !== null && this.#query.docIds !== undefined) tests.push(sql`d.n in (${this.#hitRows(this.#hits)})`)
    return sql`from ${source} ${whereAll([isShown(this.#query), ...tests])}`
  }

  #idRows(docIds: readonly string[]): Sql {
    return sql`select d.n from ${listOf(docIds, this.#dialect)} ${this.#dialect.joinInOrder} documents d
      on d.doc_id = i.value and ${isShown(this.#query)}`
  }

  #hitRows(hits: Hits): Sql {
    const { search, oneOf, joinInOrder, table } = this.#dialect
    const indexed = sql`select ${search.row} as n from search where ${search.where(hits)}`
    const { unindexed } = hits.search
    if (unindexed === undefined || unindexed.rows.length === 0) return indexed
    const found = unindexed.found.map(({ row }) => [row])
    return sql`select i.n from (${indexed}) i where not ${oneOf(sql`i.n`, unindexed.rows, 'integer')}
      union all
      select d.n from ${table('b', { n: 'integer' }, found)} ${joinInOrder} documents d
        on d.n = b.n and ${isShown(this.#query)}`
  }
}

/** The rows to start from; null: the whole list. */
interface DrivingRows {
  readonly rows: Sql | null
  readonly test?: Test
}

/** The columns of a key, `s0` and so on, what must be joined to have them, and how they sort. */
function keysOf(sort: readonly Sort[]): { readonly columns: readonly Sql[]; readonly joins: Sql; readonly order: Sql } {
  const keys = sortKeys(sort)
  return {
    columns: keys.map(({ value }, at) => sql`${value} as ${quotedName(`s${at}`)}`),
    joins: joined(
      keys.map(({ join }) => join),
      ' ',
    ),
    order: orderBy(keys, sql`d.n`),
  }
}

/** The numbers in a text of row numbers. */
export function rowsOf(text: string | null | undefined): number[] {
  return JSON.parse(text ?? '[]')
}

/** The row of a key with its cells. */
export function toKeyedRow({ n, ...cells }: KeyRow): KeyedRow {
  return keyedRow(n, Object.values(cells))
}

function whereAll(tests: readonly Sql[]): Sql {
  return tests.length === 0 ? sql`` : sql`where ${joined(tests, ' and ')}`
}
