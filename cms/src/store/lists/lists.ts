import { CacheMemory } from '../../base/bounded-cache.ts'
import { invalid } from '../../base/errors.ts'
import { foldText } from '../../base/text.ts'
import { type Connection, fixed, Repository } from '../database/connection.ts'
import { slugScope, toReadDocument } from '../database/rows.ts'
import { columnsOf, type Sql, sql } from '../database/sql.ts'
import type { DocumentRow } from '../database/tables.ts'
import { type Changes, changed } from '../terms/changes.ts'
import type { Filter, Query, View } from '../terms/document-query.ts'
import type { IdPage, ReadDocument, RowPage } from '../terms/document-store.ts'
import { SourcedCache } from '../terms/sourced-cache.ts'
import { currentSources } from '../terms/sources.ts'
import type { StoredForm } from '../terms/stored-form.ts'
import type { ListOrders } from './list-orders.ts'
import { type ListedRow, PAGE_BYTES, pageSql, QuerySql } from './list-query.ts'
import { SearchHits } from './search-hits.ts'

/** A page of row numbers, and the last commit that it takes into account. */
interface Page {
  readonly rows: readonly number[]
  readonly total: number
  readonly since: number | null
}

/** How often a page is read when its documents change meanwhile. */
const ATTEMPTS = 3

const VISIBILITIES = ['public', 'loginRequired'] as const

/** The document that has a slug, by a unique index: the planner would take the one that the list is sorted by. */
const BY_SLUG = fixed(
  ({ scope, type, locale, mode, slug, one, other }: Record<SlugBinding, string>): Sql<{ n: number }> =>
    sql`select d.n from documents d
      where d.slug_scope = ${scope} and d.locale = ${locale} and d.mode = ${mode} and d.slug_folded = ${slug}
        and d.archived = 0 and d.type = ${type} and d.visibility in (${one}, ${other})`,
)
type SlugBinding = 'scope' | 'type' | 'locale' | 'mode' | 'slug' | 'one' | 'other'

/** The bytes of cached row numbers of slugs, and of one of them. */
const [SLUGS_BYTES, SLUG_BYTES] = [4_000_000, 100]

/** The documents of a view with these row numbers, in no particular order. */
const PAGE = fixed((values: PageBindings & Record<'mostBytes', number>, dialect) => {
  const rows = sql`select i.value as n from ${dialect.rowsIn(values.rows)}`
  return pageSql({ rows, mostBytes: values.mostBytes, isShown: isShownBy(values) }, dialect)
})

/** The ids of the documents of a view with these row numbers, in no particular order. */
const IDS = fixed(
  (values: PageBindings, dialect): Sql<{ n: number; docId: string }> =>
    sql`select ${columnsOf('d', 'n', 'docId')}
      from ${dialect.rowsIn(values.rows)} ${dialect.joinInOrder} documents d on d.n = i.value
      where ${isShownBy(values)}`,
)

type ViewBindings = Record<'type' | 'locale' | 'mode' | 'one' | 'other', string> & Record<'least' | 'most', number>
type PageBindings = ViewBindings & Record<'rows', string>

const isShownBy = ({ type, locale, mode, least, most, one, other }: ViewBindings) =>
  sql`d.type = ${type} and d.locale = ${locale} and d.mode = ${mode}
    and d.archived in (${least}, ${most}) and d.visibility in (${one}, ${other})`

/** The rows of a page that were read, by row number; `isWhole` when the view still shows all of them. */
interface ReadRows<Read> {
  readonly read: ReadonlyMap<number, Read>
  readonly isWhole: boolean
}

/** The bytes of a document that the caller has already; undefined where it has to be read. */
export type BytesOfRow = (row: number) => number | undefined

/** The dependencies of lists, in addition to a connection. `changes` is null while nothing may be answered from memory. */
interface Dependencies {
  readonly form: StoredForm
  readonly changes: () => Changes | null
  readonly orders: ListOrders
}

/** Answers queries: cuts the page out of the order of the list, and then reads its documents. */
export class Lists extends Repository {
  readonly #form: StoredForm
  readonly #orders: ListOrders
  #hits: SearchHits | null = null
  readonly #slugs: SourcedCache<number | null>
  readonly #changes: () => Changes | null

  constructor(connection: Connection, { form, changes, orders }: Dependencies) {
    super(connection)
    this.#form = form
    this.#orders = orders
    this.#slugs = new SourcedCache({ changes, memory: new CacheMemory(SLUGS_BYTES), bytesOf: () => SLUG_BYTES })
    this.#changes = changes
  }

  /** A page, without reading the documents that the caller has. */
  page(query: Query, cachedBytes: BytesOfRow): Promise<RowPage> {
    return this.#current(query, (rows) => this.#read(query, rows, cachedBytes))
  }

  /** The ids of a page. */
  async ids(query: Query): Promise<IdPage> {
    const { rows, read, total } = await this.#current(query, (rows) => this.#ids(query, rows))
    return { docIds: rows.flatMap((row) => read.get(row) ?? []), total }
  }

  /** A page, and what is read of it; again while its documents change. */
  async #current<Read>(query: Query, readRows: (rows: readonly number[]) => Promise<ReadRows<Read>>) {
    if (isUnsatisfiable(query)) return { rows: [], read: new Map<number, Read>(), total: 0 }
    for (let attempt = 1; ; attempt += 1) {
      const { rows, total, since } = await this.#page(query, attempt > 1)
      const { read, isWhole } = await readRows(rows)
      const isCurrent = since === null || !this.#orders.haveChanged(query, rows, since)
      if ((isCurrent && isWhole) || attempt === ATTEMPTS) return { rows, read, total }
      // Another process has changed them, and its announcement has not arrived yet.
      if (isCurrent) this.#orders.forget(query)
    }
  }

  async #page(query: Query, skipsCache: boolean): Promise<Page> {
    const slug = onlySlugOf(query)
    if (slug !== null) return this.#bySlug(query, slug, skipsCache)
    if (query.docIds !== undefined && query.sort.length === 0) return this.#inOrder(query, [...new Set(query.docIds)])
    if (query.search !== undefined && query.sort.length === 0) {
      this.#hits ??= new SearchHits(this.connection, this.#changes)
      return this.#hits.page({ ...query, search: query.search }, skipsCache)
    }
    const { order, since } = await this.#orders.find(query)
    return { rows: order.page(query.offset, query.limit), total: order.length, since }
  }

  async count(query: Filter): Promise<number> {
    if (isUnsatisfiable(query)) return 0
    const [row] = await this.connection.varied(new QuerySql(query, this.dialect).count())
    return row?.total ?? 0
  }

  /** Returns a page in the order of the ids: it is cut out of those that match. */
  async #inOrder(query: Query, docIds: readonly string[]): Promise<Page> {
    const matches = new QuerySql(query, this.dialect).matches()
    const found = await this.connection.varied<{ n: number; docId: string }>(
      sql`select ${columnsOf('d', 'n', 'docId')} from documents d where d.n in (${matches})`,
    )
    const rows = new Map(found.map(({ n, docId }) => [docId, n]))
    const matching = docIds.flatMap((docId) => rows.get(docId) ?? [])
    const page = matching.slice(query.offset, query.offset + query.limit)
    return { rows: page, total: matching.length, since: null }
  }

  async #bySlug(view: View, text: string, skipsCache: boolean): Promise<Page> {
    const { type, locale, mode, visibility } = view
    const slug = foldText(text)
    const read = () => this.#rowOfSlug(view, slug)
    const row = skipsCache
      ? await read()
      : await this.#slugs.fill(`${type} ${locale} ${mode} ${visibility} ${slug}`, read)
    return row === null ? { rows: [], total: 0, since: null } : { rows: [row], total: 1, since: null }
  }

  async #rowOfSlug(view: View, slug: string): Promise<number | null> {
    currentSources()?.note(changed.slug(view, slug))
    const { type, locale, mode } = view
    const values = { scope: slugScope(type, slug), type, locale, mode, slug, ...visibilitiesOf(view) }
    const [found] = await this.connection.fixed(BY_SLUG, values)
    return found?.n ?? null
  }

  async #ids(view: View, rows: readonly number[]): Promise<ReadRows<string>> {
    const values = { rows: this.dialect.rowsText(rows), ...shownBy(view) }
    const found = rows.length === 0 ? [] : await this.connection.fixed(IDS, values)
    return { read: new Map(found.map(({ n, docId }) => [n, docId])), isWhole: found.length === rows.length }
  }

  /** Reads those of the rows that the caller does not have; `isWhole` when the view still shows all of these. */
  async #read(view: View, rows: readonly number[], cachedBytes: BytesOfRow) {
    let sum = 0
    const missing = rows.filter((row) => {
      const bytes = cachedBytes(row)
      sum += bytes ?? 0
      return bytes === undefined
    })
    const mostBytes = rows.length === 1 ? Number.MAX_SAFE_INTEGER : PAGE_BYTES - sum
    if (mostBytes < 0) throw tooLong()
    const read = missing.length === 0 ? NONE : await this.#documents(view, missing, mostBytes)
    return { read, isWhole: read.size === missing.length }
  }

  async #documents(view: View, rows: readonly number[], mostBytes: number): Promise<Map<number, ReadDocument>> {
    const text = this.dialect.rowsText(rows)
    const since = this.#changes()?.now ?? null
    const values = { rows: text, mostBytes, ...shownBy(view) }
    const found = await this.connection.fixed(PAGE, values)
    return new Map(
      found.map((row) => {
        if (!isWhole(row)) throw tooLong()
        return [row.n, toReadDocument(row, this.#form, since)]
      }),
    )
  }
}

const NONE: ReadonlyMap<number, ReadDocument> = new Map()

function tooLong(): Error {
  return invalid('These documents are too long for one answer. Ask for fewer of them (perPage).')
}

function visibilitiesOf({ visibility }: View): Record<'one' | 'other', string> {
  const [one, other] = visibility === null ? VISIBILITIES : [visibility, visibility]
  return { one, other }
}

function shownBy(view: View): ViewBindings {
  const { type, locale, mode, archived } = view
  const [least, most] = archived === 'any' ? [0, 1] : [Number(archived), Number(archived)]
  return { type, locale, mode, least, most, ...visibilitiesOf(view) }
}

function isWhole(row: ListedRow): row is DocumentRow {
  return row.body !== null
}

/** The slug of a query by slug alone, which finds one document at most: slugs are unique but for archived documents. */
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
