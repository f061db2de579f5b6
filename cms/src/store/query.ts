import { isIndexRowOf, isShown, listOf, scopeOfView, type Test, testOf } from './conditions.ts'
import { BODY } from './content.ts'
import type { Counts } from './count-cache.ts'
import type { Dialect, Hits, SearchDialect } from './dialect.ts'
import { directionOf, type FieldSort, hasNo, orderBy, sortKeys } from './order.ts'
import { statesOf } from './rows.ts'
import { joined, literal, quotedName, type Sql, sql } from './sql.ts'
import type { Beside, Query, Sort } from './store.ts'
import type { DocumentRow } from './tables.ts'

/** What must hold, without order and page. */
export type Filter = Omit<Query, 'sort' | 'offset' | 'limit'>

const columnsWith = (
  body: Sql,
) => sql`d.n, d.doc_id, d.locale, d.mode, d.type, d.slug, d.archived, d.visibility, d.copy_of, ${body} as body,
  d.created_at, d.updated_at, d.updated_by, d.last_published_at, d.modified, d.revision`

/** The columns of a document `d` that make it up. */
export const DOCUMENT = columnsWith(BODY)

/** How many bytes the documents of one page of a list may have. */
const PAGE_BYTES = 16 * 1024 * 1024

/** A document of a page. Its `body` is null where the whole page is too long. */
export type ListedRow = Omit<DocumentRow, 'body'> & { readonly body: string | null }

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
    this.#hits = search === undefined ? null : { scope: scopeOfView(query), states: statesOf(query), search }
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

  /** How many match; `valued` only for lists sorted by one field. */
  counts(sort: Sort | null, withSize: boolean): Sql<{ total: number; valued: number | null; size: number | null }> {
    const isAll = this.#tests.length === 0 && this.#hits === null && this.#query.docIds === undefined
    const all = sql`select count(*) from documents d where ${isShown(this.#query)}`
    const total = isAll ? all : sql`select count(*) from (${this.matches()}) m`
    const valued = sort?.by === 'field' ? sql`select count(*) from (${this.#valued(sort)}) v` : sql`select null`
    return sql`select (${total}) as total, (${valued}) as valued, (${withSize && !isAll ? all : sql`select null`}) as size`
  }

  /** The documents of a page, in order. */
  page({ sort, offset, limit }: Pick<Query, 'sort' | 'offset' | 'limit'>, counts: Counts): Sql<ListedRow> {
    const first = sort[0] ?? { by: 'column', column: 'updatedAt', direction: -1 }
    const isNarrow = this.#isNarrow(offset + limit, counts)
    if (first.by === 'field' && sort.length === 1 && !isNarrow) return this.#fieldPage(first, offset, limit, counts)
    const keys = sortKeys(sort.length === 0 ? [first] : sort)
    const driving = isNarrow ? this.#drivingRows() : null
    const columns = keys.map((key, index) => sql`${key.value} as ${quotedName(`s${index}`)}`)
    const rows = sql`select ${joined([sql`d.n`, ...columns])}
      ${this.#from(
        driving,
        joined(
          keys.map((key) => key.join),
          ' ',
        ),
      )}
      order by ${orderBy(
        keys.map(({ value, direction, hasGaps }) => ({ value, direction, hasGaps })),
        sql`d.n`,
      )}
      limit ${limit} offset ${offset}`
    const outer = keys.map((key, index) => ({ ...key, value: quotedName(`p.s${index}`) }))
    return this.#rowsOf(rows, orderBy(outer, sql`p.n`))
  }

  /**
   * The documents of a page of hits, each with how many hits there are: finding them is most of the work. They are
   * ranked in blocks, the newest first, since a common word has very many.
   */
  rankedPage({ offset, limit }: Pick<Query, 'offset' | 'limit'>): Sql<ListedRow & { total: number }> {
    if (this.#hits === null) throw new Error('Only a search ranks.')
    const { search, joinInOrder } = this.#dialect
    const block = Math.max(1, Math.floor(search.ranked / limit)) * limit
    const start = Math.floor(offset / block) * block
    const row = search.row(search.key)
    const tests = [search.where(this.#hits), ...this.#testsOf(row)]
    const documents = this.#tests.some((test) => test.needsDocument)
      ? sql`${joinInOrder} documents d on d.n = ${row}`
      : sql``
    const indexed = sql`select ${search.key} as k, ${row} as n, cast(null as ${this.#dialect.words.number}) as r
      from ${search.from} ${documents} ${whereAll(tests)}`
    const newest = sql`select h.n, coalesce(h.r, ${search.rank(this.#hits, sql`h.k`)}) as s from h
      order by h.n desc limit ${block} offset ${start}`
    const rows = sql`select n, s from (${newest}) b order by s, n desc limit ${limit} offset ${offset - start}`
    // `as`: the column that is added.
    return this.#rowsOf(rows, sql`p.s, p.n desc`, {
      tables: sql`h as materialized (${this.#withBeside(indexed)}),`,
      columns: sql`, (select count(*) from h) as total`,
    }) as Sql<ListedRow & { total: number }>
  }

  #testsOf(row: Sql): Sql[] {
    const tests = this.#tests.map((test) => test.holds(row))
    if (this.#query.docIds !== undefined) tests.push(sql`${row} in (${this.#idRows(this.#query.docIds)})`)
    return tests
  }

  /** Hits of the index (`k`, `n`, `r`) but those that are not as indexed any more, and what is matched beside it. */
  #withBeside(indexed: Sql): Sql {
    const beside = this.#query.search?.beside
    if (beside === undefined || beside.rows.length === 0) return indexed
    const { oneOf, search } = this.#dialect
    const tests = [isShown(this.#query), ...this.#testsOf(sql`d.n`)]
    return sql`select * from (${indexed}) i where not ${oneOf(sql`i.n`, beside.rows, 'integer')}
      union all
      select cast(null as ${this.#dialect.words.rowReference}) as k, d.n, b.r
      from ${this.#besideTable(beside, search.besideRank)} ${this.#dialect.joinInOrder} documents d on d.n = b.n
      ${whereAll(tests)}`
  }

  #besideTable({ found }: Beside, rank: SearchDialect['besideRank']): Sql {
    const rows = found.map(({ row, isBoosted }) => [row, rank(isBoosted)])
    return this.#dialect.table('b', { n: 'integer', r: 'number' }, rows)
  }

  /** Walks the index of a field's values; documents without one follow, in either direction. */
  #fieldPage(sort: FieldSort, offset: number, limit: number, { valued }: Counts): Sql<ListedRow> {
    const direction = directionOf(sort.direction)
    const parts: Sql[] = []
    if (offset < valued) {
      const rows = sql`${this.#valued(sort)} order by s ${direction}, n ${direction} limit ${limit} offset ${offset}`
      parts.push(sql`select 0 as part, v.s, v.n from (${rows}) v`)
    }
    const rest = offset + limit - valued
    if (rest > 0) {
      const tests = [isShown(this.#query), ...this.#tests.map((test) => test.holds(sql`d.n`)), hasNo(sort)]
      const rows = sql`select d.n from documents d ${whereAll(tests)} order by d.n ${direction}
        limit ${Math.min(rest, limit)} offset ${Math.max(0, offset - valued)}`
      parts.push(sql`select 1 as part, null as s, v.n from (${rows}) v`)
    }
    return this.#rowsOf(joined(parts, ' union all '), sql`p.part, p.s ${direction}, p.n ${direction}`)
  }

  /** Row numbers (`n`) of the matching documents that have a value to sort by (`s`). */
  #valued(sort: FieldSort): Sql {
    const { joinInOrder } = this.#dialect
    const value = quotedName(`e.${sort.value}`)
    const tests = this.#tests.map((test) => test.holds(sql`e.document`))
    if (this.#query.docIds !== undefined) tests.push(sql`e.document in (${this.#idRows(this.#query.docIds)})`)
    if (this.#hits !== null) tests.push(sql`e.document in (${this.#hitRows(this.#hits)})`)
    const documents = this.#tests.some((test) => test.needsDocument)
      ? sql`${joinInOrder} documents d on d.n = e.document`
      : sql``
    const isValued = sql`${isIndexRowOf(this.#query, sort.name, 'e')} and e.place = 0 and ${value} is not null`
    return sql`select e.document as n, ${value} as s from entries e ${documents} ${whereAll([isValued, ...tests])}`
  }

  /** The documents of a page of row numbers; without their bodies where these are too long together. */
  #rowsOf(rows: Sql, order: Sql, { tables = sql``, columns = sql`` } = {}): Sql<ListedRow> {
    const { joinInOrder } = this.#dialect
    const fits = sql`select sum(b.bytes) <= ${literal(PAGE_BYTES)} or count(*) = 1
      from p ${joinInOrder} documents b on b.n = p.n`
    return sql`with ${tables} p as (${rows})
      select ${columnsWith(sql`case when (${fits}) then ${BODY} end`)} ${columns}
      from p ${joinInOrder} documents d on d.n = p.n where ${isShown(this.#query)} order by ${order}`
  }

  /** Whether to start from the rows that a condition finds, instead of walking the list in order and testing each. */
  #isNarrow(end: number, { total, size }: Counts): boolean {
    if (this.#hits !== null || this.#query.docIds !== undefined) return true
    if (!this.#tests.some((test) => test.rows !== null)) return false
    const walked = (end * size) / Math.max(1, total)
    return total * 3 < walked
  }

  /** The rows that drive the query: given ids or hits, else the condition that usually finds the fewest. */
  #drivingRows(): DrivingRows {
    if (this.#query.docIds !== undefined) return { rows: this.#idRows(this.#query.docIds) }
    if (this.#hits !== null) return { rows: this.#hitRows(this.#hits) }
    const [test] = this.#tests
      .filter(({ rows }) => rows !== null)
      .sort((one, other) => one.selectivity - other.selectivity)
    return test === undefined ? { rows: null } : { rows: test.rows, test }
  }

  #from(driving: DrivingRows | null, joins: Sql = sql``): Sql {
    const source =
      driving === null || driving.rows === null
        ? sql`documents d`
        : sql`(${driving.rows}) h ${this.#dialect.joinInOrder} documents d on d.n = h.n`
    const tests = this.#tests.filter((test) => test !== driving?.test).map((test) => test.holds(sql`d.n`))
    if (this.#hits !== null && this.#query.docIds !== undefined) tests.push(sql`d.n in (${this.#hitRows(this.#hits)})`)
    return sql`from ${source} ${joins} ${whereAll([isShown(this.#query), ...tests])}`
  }

  #idRows(docIds: readonly string[]): Sql {
    return sql`select d.n from ${listOf(docIds, this.#dialect)} ${this.#dialect.joinInOrder} documents d
      on d.doc_id = i.value and ${isShown(this.#query)}`
  }

  #hitRows(hits: Hits): Sql {
    const { search, oneOf, joinInOrder } = this.#dialect
    const indexed = sql`select ${search.row(search.key)} as n from ${search.from} where ${search.where(hits)}`
    const { beside } = hits.search
    if (beside === undefined || beside.rows.length === 0) return indexed
    return sql`select i.n from (${indexed}) i where not ${oneOf(sql`i.n`, beside.rows, 'integer')}
      union all
      select d.n from ${this.#besideTable(beside, search.besideRank)} ${joinInOrder} documents d
        on d.n = b.n and ${isShown(this.#query)}`
  }
}

/** The rows to start from; null: the whole list. */
interface DrivingRows {
  readonly rows: Sql | null
  readonly test?: Test
}

function whereAll(tests: readonly Sql[]): Sql {
  return tests.length === 0 ? sql`` : sql`where ${joined(tests, ' and ')}`
}
