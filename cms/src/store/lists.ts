import { invalid } from '../base/errors.ts'
import { foldText } from '../base/text.ts'
import type { Document } from '../model/document.ts'
import type { Changes } from './changes.ts'
import { ListOrders } from './list-orders.ts'
import { DOCUMENT, type ListedRow, pageSql, QuerySql } from './query.ts'
import { slugScope, toDocument } from './rows.ts'
import { pageOf, SearchHits } from './search-hits.ts'
import { type Sql, sql } from './sql.ts'
import { type Connection, fixed } from './statement.ts'
import type { Filter, Found, Query, View } from './store.ts'
import type { StoredForm } from './stored-form.ts'
import type { DocumentRow } from './tables.ts'

/** A page of row numbers, and the last commit that it knows of. */
interface Page {
  readonly rows: readonly number[]
  readonly total: number
  readonly since: number | null
}

/** How often a page is read again whose documents are changed meanwhile. */
const ATTEMPTS = 3

const VISIBILITIES = ['public', 'loginRequired'] as const

/** The document that has a slug, by a unique index: the planner would take the one that the list is sorted by. */
const BY_SLUG = fixed(
  ({ scope, type, locale, mode, slug, one, other }: Record<SlugBinding, string>): Sql<DocumentRow> =>
    sql`select ${DOCUMENT} from documents d
      where d.slug_scope = ${scope} and d.locale = ${locale} and d.mode = ${mode} and d.slug_folded = ${slug}
        and d.archived = 0 and d.type = ${type} and d.visibility in (${one}, ${other})`,
)
type SlugBinding = 'scope' | 'type' | 'locale' | 'mode' | 'slug' | 'one' | 'other'

/** The documents of a view with these row numbers, in no particular order. */
const PAGE = fixed(({ rows, type, locale, mode, least, most, one, other }: PageBindings, dialect) => {
  const isShown = sql`d.type = ${type} and d.locale = ${locale} and d.mode = ${mode}
    and d.archived in (${least}, ${most}) and d.visibility in (${one}, ${other})`
  return pageSql(sql`select i.value as n from ${dialect.rowsIn(rows)}`, isShown, dialect)
})
type PageBindings = Record<'rows' | 'type' | 'locale' | 'mode' | 'one' | 'other', string> &
  Record<'least' | 'most', number>

/** Answers queries: from the order of the list the page is cut out, and then its documents are read. */
export class Lists {
  readonly #connection: Connection
  readonly #form: StoredForm
  readonly #orders: ListOrders
  readonly #hits: SearchHits

  /** `changes` as the store's: null while nothing may be answered from memory. */
  constructor(connection: Connection, form: StoredForm, changes: () => Changes | null) {
    this.#connection = connection
    this.#form = form
    this.#orders = new ListOrders(connection, changes)
    this.#hits = new SearchHits(connection, changes)
  }

  async find(query: Query): Promise<Found> {
    if (isUnsatisfiable(query)) return { documents: [], total: 0 }
    const slug = onlySlugOf(query)
    if (slug !== null) return this.#bySlug(query, slug)
    for (let attempt = 1; ; attempt += 1) {
      const { rows, total, since } = await this.#page(query, attempt > 1)
      const documents = await this.#documents(query, rows)
      const isMissing = documents.length < rows.length
      const isCurrent = since === null || !this.#orders.haveChanged(query, rows, since)
      if ((isCurrent && !isMissing) || attempt === ATTEMPTS) return { documents, total }
      // Another process has changed them, and did not tell of it yet.
      if (isCurrent) this.#orders.forget(query)
    }
  }

  async #page(query: Query, isAnew: boolean): Promise<Page> {
    if (query.docIds !== undefined && query.sort.length === 0) return this.#inOrder(query, [...new Set(query.docIds)])
    if (query.search !== undefined && query.sort.length === 0) {
      const hits = await this.#hits.find({ ...query, search: query.search }, isAnew)
      return { rows: pageOf(hits, query.offset, query.limit), total: hits.rows.size, since: hits.since }
    }
    const { order, since } = await this.#orders.find(query)
    return { rows: order.page(query.offset, query.limit), total: order.length, since }
  }

  async count(query: Filter): Promise<number> {
    if (isUnsatisfiable(query)) return 0
    const [row] = await this.#connection.varied(new QuerySql(query, this.#connection.dialect).count())
    return row?.total ?? 0
  }

  /** The order is that of the ids, so that the page is cut out of those that match. */
  async #inOrder(query: Query, docIds: readonly string[]): Promise<Page> {
    const matches = new QuerySql(query, this.#connection.dialect).matches()
    const found = await this.#connection.varied<{ n: number; doc_id: string }>(
      sql`select d.n, d.doc_id from documents d where d.n in (${matches})`,
    )
    const rows = new Map(found.map(({ n, doc_id }) => [doc_id, n]))
    const matching = docIds.flatMap((docId) => rows.get(docId) ?? [])
    const page = matching.slice(query.offset, query.offset + query.limit)
    return { rows: page, total: matching.length, since: null }
  }

  async #bySlug(view: View, given: string): Promise<Found> {
    const { type, locale, mode, visibility } = view
    const slug = foldText(given)
    const [one, other] = visibility === null ? VISIBILITIES : [visibility, visibility]
    const values = { scope: slugScope(type, slug), type, locale, mode, slug, one, other }
    const rows = await this.#connection.fixed(BY_SLUG, values)
    return { documents: this.#toDocuments(rows), total: rows.length }
  }

  /** Those of the rows that the view shows, in their order. */
  async #documents(view: View, rows: readonly number[]): Promise<Document[]> {
    if (rows.length === 0) return []
    const { type, locale, mode, archived, visibility } = view
    const [one, other] = visibility === null ? VISIBILITIES : [visibility, visibility]
    const [least, most] = archived === 'any' ? [0, 1] : [Number(archived), Number(archived)]
    const values = { rows: this.#connection.dialect.rowsText(rows), type, locale, mode, least, most, one, other }
    const found = await this.#connection.fixed(PAGE, values)
    const byNumber = new Map(found.map((row) => [row.n, row]))
    return this.#toDocuments(rows.flatMap((row) => byNumber.get(row) ?? []))
  }

  #toDocuments(rows: readonly ListedRow[]): Document[] {
    return rows.map((row) => {
      if (isWhole(row)) return toDocument(row, this.#form)
      throw invalid('These documents are too long for one answer. Ask for fewer of them (perPage).')
    })
  }
}

function isWhole(row: ListedRow): row is DocumentRow {
  return row.body !== null
}

/** The slug on which alone a query depends: no two documents of a list have the same, but archived ones. */
function onlySlugOf({ conditions, archived, search, docIds, offset, limit }: Query): string | null {
  const [condition, other] = conditions
  if (condition?.kind !== 'column' || condition.column !== 'slug' || other !== undefined) return null
  const [slug, ...slugs] = condition.anyOf
  const isPlain = archived === false && search === undefined && docIds === undefined && offset === 0 && limit > 0
  return isPlain && slugs.length === 0 ? (slug ?? null) : null
}

function isUnsatisfiable(query: Filter): boolean {
  return query.docIds?.length === 0 || query.conditions.some((condition) => condition.kind === 'never')
}
