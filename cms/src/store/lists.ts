import { Recent } from './database.ts'
import type { Dialect } from './dialect.ts'
import { type Counts, type Filter, QuerySql } from './query.ts'
import { scopeKey, toDocument } from './rows.ts'
import type { Connection } from './statement.ts'
import type { Found, Query, Sort } from './store.ts'

const TOTALS = 2000
const SIZES = 500
const SIZE_MILLISECONDS = 10_000

/** What was counted, and in which state of the content. */
interface Counted {
  readonly revision: string
  readonly counts: Counts
}

/** How long a list was, and when. */
interface Size {
  readonly size: number
  readonly until: number
}

/** What lists keep from one query to the next. Sizes only choose the way, so they may be a little old. */
export class Totals {
  readonly counted = new Recent<string, Counted>(TOTALS)
  readonly sizes = new Recent<string, Size>(SIZES)
}

/** Answers queries. Nothing is counted again while the content stands as it was. */
export class Lists {
  readonly #connection: Connection
  readonly #dialect: Dialect
  readonly #revision: () => string | null
  readonly #totals: Totals

  constructor(connection: Connection, dialect: Dialect, revision: () => string | null, totals: Totals) {
    this.#connection = connection
    this.#dialect = dialect
    this.#revision = revision
    this.#totals = totals
  }

  async find(query: Query): Promise<Found> {
    if (isHopeless(query)) return { documents: [], total: 0 }
    const { docIds } = query
    if (docIds !== undefined && query.sort.length === 0 && query.search === undefined) {
      return this.#inOrder(query, [...new Set(docIds)])
    }
    const statements = new QuerySql(query, this.#dialect)
    const counts = await this.#counts(statements, query, query.sort.length === 1 ? (query.sort[0] ?? null) : null)
    if (query.offset >= counts.total || query.limit === 0) return { documents: [], total: counts.total }
    const rows = await this.#connection.all(statements.page(query, counts))
    return { documents: rows.map(toDocument), total: counts.total }
  }

  async count(query: Filter): Promise<number> {
    if (isHopeless(query)) return 0
    return (await this.#counts(new QuerySql(query, this.#dialect), query, null)).total
  }

  /** The order given is known here, so that the whole list is read and the page cut out of it. */
  async #inOrder(query: Query, docIds: readonly string[]): Promise<Found> {
    const all: Query = { ...query, docIds, sort: [], offset: 0, limit: docIds.length }
    const counts = { total: docIds.length, valued: 0, size: docIds.length }
    const rows = await this.#connection.all(new QuerySql(all, this.#dialect).page(all, counts))
    const places = new Map(docIds.map((docId, place) => [docId, place]))
    rows.sort((one, other) => (places.get(one.doc_id) ?? 0) - (places.get(other.doc_id) ?? 0))
    const page = rows.slice(query.offset, query.offset + query.limit)
    return { documents: page.map(toDocument), total: rows.length }
  }

  async #counts(statements: QuerySql, query: Filter, sort: Sort | null): Promise<Counts> {
    const revision = this.#revision()
    const fieldSort = sort?.by === 'field' ? sort : null
    const key = JSON.stringify([
      scopeKey(query),
      query.archived,
      query.visibility,
      query.conditions,
      query.docIds ?? null,
      query.search ?? null,
      fieldSort && [fieldSort.name, fieldSort.value],
    ])
    const known = this.#totals.counted.get(key)
    if (revision !== null && known?.revision === revision) return known.counts
    const counts = await this.#count(statements, query, fieldSort)
    if (revision !== null) this.#totals.counted.set(key, { revision, counts })
    return counts
  }

  async #count(statements: QuerySql, query: Filter, sort: Sort | null): Promise<Counts> {
    const isAll = query.conditions.length === 0 && query.search === undefined && query.docIds === undefined
    const sizeKey = `${scopeKey(query)}:${query.archived}:${query.visibility}`
    const known = this.#totals.sizes.get(sizeKey)
    const isKnown = known !== undefined && known.until > Date.now()
    const [row] = await this.#connection.all(statements.counts(sort, !isKnown))
    const total = row?.total ?? 0
    const size = isAll ? total : (row?.size ?? known?.size ?? total)
    if (isAll || !isKnown) this.#totals.sizes.set(sizeKey, { size, until: Date.now() + SIZE_MILLISECONDS })
    return { total, valued: row?.valued ?? 0, size }
  }
}

function isHopeless(query: Filter): boolean {
  return query.docIds?.length === 0 || query.conditions.some((condition) => condition.kind === 'never')
}
