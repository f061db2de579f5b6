import { invalid } from '../base/errors.ts'
import { foldText } from '../base/text.ts'
import type { Document } from '../model/document.ts'
import type { CountCache, Counts } from './count-cache.ts'
import type { Dialect } from './dialect.ts'
import { DOCUMENT, type Filter, type ListedRow, QuerySql } from './query.ts'
import { scopeKey, slugScope, toDocument } from './rows.ts'
import { type Sql, sql } from './sql.ts'
import { type Connection, fixed } from './statement.ts'
import type { Found, Query, Sort, View } from './store.ts'
import type { StoredForm } from './stored-form.ts'
import type { DocumentRow } from './tables.ts'

/** Below this many matches, a query starts from them. */
const FEW: Counts = { total: 0, valued: 0, size: 1000 }

const VISIBILITIES = ['public', 'loginRequired'] as const

/** The document that has a slug, by a unique index: the planner would take the one that the list is sorted by. */
const BY_SLUG = fixed(
  ({ scope, type, locale, mode, slug, one, other }: Record<SlugBinding, string>): Sql<DocumentRow> =>
    sql`select ${DOCUMENT} from documents d
      where d.slug_scope = ${scope} and d.locale = ${locale} and d.mode = ${mode} and d.slug_folded = ${slug}
        and d.archived = 0 and d.type = ${type} and d.visibility in (${one}, ${other})`,
)
type SlugBinding = 'scope' | 'type' | 'locale' | 'mode' | 'slug' | 'one' | 'other'

/** Answers queries. With a cache, nothing is counted again until the content changes. */
export class Lists {
  readonly #connection: Connection
  readonly #dialect: Dialect
  readonly #form: StoredForm
  readonly #cache: CountCache | null

  constructor(connection: Connection, form: StoredForm, cache: CountCache | null) {
    this.#connection = connection
    this.#dialect = connection.dialect
    this.#form = form
    this.#cache = cache
  }

  async find(query: Query): Promise<Found> {
    if (isUnsatisfiable(query)) return { documents: [], total: 0 }
    const { docIds } = query
    if (docIds !== undefined && query.sort.length === 0) return this.#inOrder(query, [...new Set(docIds)])
    const slug = onlySlugOf(query)
    if (slug !== null) return this.#bySlug(query, slug)
    if (isFew(query)) {
      const rows = await this.#connection.all(new QuerySql(query, this.#dialect).page(query, FEW))
      if (rows.length < query.limit) return { documents: this.#documentsOf(rows), total: rows.length }
    }
    if (isRanked(query)) return this.#ranked(query)
    const counts = await this.#counts(query)
    if (query.offset >= counts.total || query.limit === 0) return { documents: [], total: counts.total }
    const rows = await this.#connection.varied(new QuerySql(query, this.#dialect).page(query, counts))
    return { documents: this.#documentsOf(rows), total: counts.total }
  }

  async #bySlug(view: View, given: string): Promise<Found> {
    const { type, locale, mode, visibility } = view
    const slug = foldText(given)
    const [one, other] = visibility === null ? VISIBILITIES : [visibility, visibility]
    const values = { scope: slugScope(type, slug), type, locale, mode, slug, one, other }
    const rows = await this.#connection.fixed(BY_SLUG, values)
    return { documents: this.#documentsOf(rows), total: rows.length }
  }

  async count(query: Filter): Promise<number> {
    if (isUnsatisfiable(query)) return 0
    return (await this.#counts({ ...query, sort: [] })).total
  }

  /** The order is that of the ids, so that the page is cut out of them; those that match are looked up first if need be. */
  async #inOrder(query: Query, docIds: readonly string[]): Promise<Found> {
    const isCut = query.offset > 0 || docIds.length > query.limit
    const found = isCut ? await this.#matchingOf({ ...query, docIds }, docIds) : docIds
    const asked = found.slice(query.offset, query.offset + query.limit)
    if (asked.length === 0) return { documents: [], total: isCut ? found.length : 0 }
    const page: Query = { ...query, docIds: asked, sort: [], offset: 0, limit: asked.length }
    const counts = { total: asked.length, valued: 0, size: asked.length }
    const rows = await this.#connection.varied(new QuerySql(page, this.#dialect).page(page, counts))
    const order = new Map(asked.map((docId, index) => [docId, index]))
    rows.sort((one, other) => (order.get(one.doc_id) ?? 0) - (order.get(other.doc_id) ?? 0))
    return { documents: this.#documentsOf(rows), total: isCut ? found.length : rows.length }
  }

  async #matchingOf(query: Filter, docIds: readonly string[]): Promise<string[]> {
    const matches = new QuerySql(query, this.#dialect).matches()
    const rows = await this.#connection.varied<{ doc_id: string }>(
      sql`select d.doc_id from documents d where d.n in (${matches})`,
    )
    const found = new Set(rows.map((row) => row.doc_id))
    return docIds.filter((docId) => found.has(docId))
  }

  /** The total comes with the page, or is counted when the page is empty. */
  async #ranked(query: Query): Promise<Found> {
    const rows = await this.#connection.varied(new QuerySql(query, this.#dialect).rankedPage(query))
    const total = rows[0]?.total ?? (query.offset === 0 ? 0 : (await this.#counts(query)).total)
    return { documents: this.#documentsOf(rows), total }
  }

  #documentsOf(rows: readonly ListedRow[]): Document[] {
    return rows.map((row) => {
      if (isWhole(row)) return toDocument(row, this.#form)
      throw invalid('These documents are too long for one answer. Ask for fewer of them (perPage).')
    })
  }

  #counts(query: Filter & Pick<Query, 'sort'>): Promise<Counts> {
    const [first, second] = query.sort
    const sort = first?.by === 'field' && second === undefined ? first : null
    const count = () => this.#count(query, sort)
    return this.#cache?.fill(keyOf(query, sort), count) ?? count()
  }

  async #count(query: Filter, sort: Sort | null): Promise<Counts> {
    const isAll = query.conditions.length === 0 && query.search === undefined && query.docIds === undefined
    const view = `${scopeKey(query)}:${query.archived}:${query.visibility}`
    const known = this.#cache?.size(view)
    const statement = new QuerySql(query, this.#dialect).counts(sort, known === undefined)
    const [row] = await this.#connection.varied(statement)
    const total = row?.total ?? 0
    const size = isAll ? total : (row?.size ?? known ?? total)
    if (isAll || known === undefined) this.#cache?.setSize(view, size)
    return { total, valued: row?.valued ?? 0, size }
  }
}

function isWhole(row: ListedRow): row is DocumentRow {
  return row.body !== null
}

/** The cache key of a count: the conditions, and the field to sort by. */
function keyOf(query: Filter, sort: Sort | null): string {
  const { archived, visibility, conditions, docIds = null, search = null } = query
  const field = sort?.by === 'field' ? [sort.name, sort.value] : null
  return JSON.stringify([scopeKey(query), archived, visibility, conditions, docIds, search, field])
}

/** Whether hits come in the order of how well they match. */
function isRanked(query: Query): boolean {
  return query.search !== undefined && query.sort.length === 0 && query.limit > 0
}

/** The slug on which alone a query depends: no two documents of a list have the same, but archived ones. */
function onlySlugOf({ conditions, archived, search, docIds, offset, limit }: Query): string | null {
  const [condition, other] = conditions
  if (condition?.kind !== 'column' || condition.column !== 'slug' || other !== undefined) return null
  const [slug, ...slugs] = condition.anyOf
  const isPlain = archived === false && search === undefined && docIds === undefined && offset === 0 && limit > 0
  return isPlain && slugs.length === 0 ? (slug ?? null) : null
}

/** Whether it looks up a slug or title: hardly ever more than one page, which gives the total. */
function isFew(query: Query): boolean {
  const isNamed = query.conditions.some(({ kind }) => kind === 'column')
  return isNamed && query.offset === 0 && query.search === undefined && query.docIds === undefined
}

function isUnsatisfiable(query: Filter): boolean {
  return query.docIds?.length === 0 || query.conditions.some((condition) => condition.kind === 'never')
}
