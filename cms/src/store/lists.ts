import type { Document } from '../model/document.ts'
import { isShown } from './conditions.ts'
import { Recent } from './database.ts'
import type { Dialect } from './dialect.ts'
import { type Counts, DOCUMENT, type Filter, QuerySql } from './query.ts'
import { scopeKey, toDocument } from './rows.ts'
import { sql } from './sql.ts'
import type { ContentConnection } from './statement.ts'
import type { Found, Query, Sort, View } from './store.ts'
import type { DocumentRow } from './tables.ts'

const TOTALS = 2000
const PAGES = 2000
const SIZES = 500
const SIZE_MILLISECONDS = 10_000

/** What was counted, and in which state of the content. */
interface Counted {
  readonly revision: string
  readonly counts: Counts
}

/** Counts of a query that finds few: it begins with them. */
const FEW: Counts = { total: 0, valued: 0, size: 1000 }

/** How long a list was, and when. */
interface Size {
  readonly size: number
  readonly until: number
}

/** Which rows a page had, and in which state of the content. */
interface Page {
  readonly revision: string
  readonly rows: readonly number[]
}

/** What lists keep from one query to the next. Sizes only choose the way, so they may be a little old. */
export class Totals {
  readonly counted = new Recent<string, Counted>(TOTALS)
  readonly pages = new Recent<string, Page>(PAGES)
  readonly sizes = new Recent<string, Size>(SIZES)
}

/** Answers queries. Nothing is counted, sorted or ranked again while the content stands as it was. */
export class Lists {
  readonly #connection: ContentConnection
  readonly #dialect: Dialect
  readonly #revision: () => string | null
  readonly #totals: Totals

  constructor(connection: ContentConnection, dialect: Dialect, revision: () => string | null, totals: Totals) {
    this.#connection = connection
    this.#dialect = dialect
    this.#revision = revision
    this.#totals = totals
  }

  async find(query: Query): Promise<Found> {
    if (isUnsatisfiable(query)) return { documents: [], total: 0 }
    const { docIds } = query
    if (docIds !== undefined && query.sort.length === 0 && query.search === undefined) {
      return this.#inOrder(query, [...new Set(docIds)])
    }
    if (isFew(query)) {
      const rows = await this.#connection.all(new QuerySql(query, this.#dialect).page(query, FEW))
      if (rows.length < query.limit)
        return { documents: rows.map((row) => toDocument(row, this.#connection.form)), total: rows.length }
    }
    const key = keyOf(query)
    if (isRanked(query)) return this.#ranked(query, key)
    const counts = await this.#counts(query, key)
    if (query.offset >= counts.total || query.limit === 0) return { documents: [], total: counts.total }
    return { documents: await this.#page(query, counts, key), total: counts.total }
  }

  async count(query: Filter): Promise<number> {
    if (isUnsatisfiable(query)) return 0
    const all = { ...query, sort: [], offset: 0, limit: 0 }
    return (await this.#counts(all, keyOf(all))).total
  }

  /** The order given is known here, so that the whole list is read and the page cut out of it. */
  async #inOrder(query: Query, docIds: readonly string[]): Promise<Found> {
    const all: Query = { ...query, docIds, sort: [], offset: 0, limit: docIds.length }
    const counts = { total: docIds.length, valued: 0, size: docIds.length }
    const rows = await this.#connection.varied(new QuerySql(all, this.#dialect).page(all, counts))
    const places = new Map(docIds.map((docId, place) => [docId, place]))
    rows.sort((one, other) => (places.get(one.doc_id) ?? 0) - (places.get(other.doc_id) ?? 0))
    const page = rows.slice(query.offset, query.offset + query.limit)
    return { documents: page.map((row) => toDocument(row, this.#connection.form)), total: rows.length }
  }

  /** The total comes with the page, or is counted when the page is empty. */
  async #ranked(query: Query, key: string): Promise<Found> {
    const revision = this.#revision()
    const counted = this.#totals.counted.get(key)
    const isCounted = revision !== null && counted?.revision === revision
    const page = await this.#knownPage(query, pageKeyOf(query, key))
    if (isCounted && page) return { documents: page, total: counted.counts.total }
    const rows = await this.#connection.varied(new QuerySql(query, this.#dialect).rankedPage(query))
    const total = rows[0]?.total ?? (query.offset === 0 ? 0 : (await this.#counts(query, key)).total)
    if (revision !== null) {
      this.#totals.counted.set(key, { revision, counts: { total, valued: 0, size: total } })
      this.#totals.pages.set(pageKeyOf(query, key), { revision, rows: rows.map(({ n }) => n) })
    }
    return { documents: rows.map((row) => toDocument(row, this.#connection.form)), total }
  }

  /** A page that was read in this state of the content is known by its rows. */
  async #knownPage(query: Query, pageKey: string): Promise<Document[] | null> {
    const revision = this.#revision()
    const known = this.#totals.pages.get(pageKey)
    return revision !== null && known?.revision === revision ? this.#rows(query, known.rows) : null
  }

  async #page(query: Query, counts: Counts, key: string): Promise<Document[]> {
    const revision = this.#revision()
    const pageKey = pageKeyOf(query, key)
    const known = await this.#knownPage(query, pageKey)
    if (known) return known
    const rows = await this.#connection.varied(new QuerySql(query, this.#dialect).page(query, counts))
    if (revision !== null) this.#totals.pages.set(pageKey, { revision, rows: rows.map(({ n }) => n) })
    return rows.map((row) => toDocument(row, this.#connection.form))
  }

  async #rows(view: View, numbers: readonly number[]): Promise<Document[]> {
    const table = this.#dialect.table(
      'i',
      { value: 'integer' },
      numbers.map((number) => [number]),
    )
    const rows = await this.#connection.all<DocumentRow>(
      sql`select ${DOCUMENT} from ${table} ${this.#dialect.joinInOrder} documents d on d.n = i.value and ${isShown(view)}`,
    )
    const byNumber = new Map(rows.map((row) => [row.n, row]))
    return numbers.flatMap((number) => byNumber.get(number) ?? []).map((row) => toDocument(row, this.#connection.form))
  }

  async #counts(query: Query, key: string): Promise<Counts> {
    const revision = this.#revision()
    const [first, second] = query.sort
    const sort = first?.by === 'field' && second === undefined ? first : null
    const countKey = sort === null ? key : `${key}${sort.name}:${sort.value}`
    const known = this.#totals.counted.get(countKey)
    if (revision !== null && known?.revision === revision) return known.counts
    const counts = await this.#count(new QuerySql(query, this.#dialect), query, sort)
    if (revision !== null) this.#totals.counted.set(countKey, { revision, counts })
    return counts
  }

  async #count(statements: QuerySql, query: Filter, sort: Sort | null): Promise<Counts> {
    const isAll = query.conditions.length === 0 && query.search === undefined && query.docIds === undefined
    const sizeKey = `${scopeKey(query)}:${query.archived}:${query.visibility}`
    const known = this.#totals.sizes.get(sizeKey)
    const isKnown = known !== undefined && known.until > Date.now()
    const [row] = await this.#connection.varied(statements.counts(sort, !isKnown))
    const total = row?.total ?? 0
    const size = isAll ? total : (row?.size ?? known?.size ?? total)
    if (isAll || !isKnown) this.#totals.sizes.set(sizeKey, { size, until: Date.now() + SIZE_MILLISECONDS })
    return { total, valued: row?.valued ?? 0, size }
  }
}

/** A text for what must hold. */
function keyOf(query: Filter): string {
  const { archived, visibility, conditions, docIds = null, search = null } = query
  return JSON.stringify([scopeKey(query), archived, visibility, conditions, docIds, search])
}

function pageKeyOf({ sort, offset, limit }: Query, key: string): string {
  return `${key}${JSON.stringify([sort, offset, limit])}`
}

/** Whether hits come in the order of how well they match. */
function isRanked(query: Query): boolean {
  return query.search !== undefined && query.sort.length === 0 && query.limit > 0
}

/** Whether it asks for the first of those with a slug or title: hardly ever more than one page, which says the total. */
function isFew(query: Query): boolean {
  const isNamed = query.conditions.some(({ kind }) => kind === 'column')
  return isNamed && query.offset === 0 && query.search === undefined && query.docIds === undefined
}

function isUnsatisfiable(query: Filter): boolean {
  return query.docIds?.length === 0 || query.conditions.some((condition) => condition.kind === 'never')
}
