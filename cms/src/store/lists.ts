import { invalid } from '../base/errors.ts'
import { foldText } from '../base/text.ts'
import type { Document } from '../model/document.ts'
import type { ListOrders } from './list-orders.ts'
import { type Filter, type ListedRow, QuerySql } from './query.ts'
import { toDocument } from './rows.ts'
import { sql } from './sql.ts'
import type { Connection } from './statement.ts'
import type { Found, Query, View } from './store.ts'
import type { StoredForm } from './stored-form.ts'
import type { DocumentRow } from './tables.ts'
import { viewStatements } from './view-statements.ts'

/** How often a page is read again whose documents are changed meanwhile. */
const ATTEMPTS = 3

/** Answers queries: from the order of the list the page is cut out, and then its documents are read. */
export class Lists {
  readonly #connection: Connection
  readonly #form: StoredForm
  readonly #orders: ListOrders

  constructor(connection: Connection, form: StoredForm, orders: ListOrders) {
    this.#connection = connection
    this.#form = form
    this.#orders = orders
  }

  async find(query: Query): Promise<Found> {
    if (isUnsatisfiable(query)) return { documents: [], total: 0 }
    if (query.docIds !== undefined && query.sort.length === 0) return this.#inOrder(query, [...new Set(query.docIds)])
    const slug = slugOf(query)
    const bySlug = slug === null ? [] : await this.#bySlug(query, slug)
    if (slug !== null && bySlug.length < 2) return { documents: bySlug, total: bySlug.length }
    if (isRanked(query)) return this.#ranked(query)
    for (let attempt = 1; ; attempt += 1) {
      const { order, since } = await this.#orders.find(query)
      const total = order.length
      const rows = order.page(query.offset, query.limit)
      const documents = await this.#documents(query, rows)
      const isMissing = documents.length < rows.length
      const isCurrent = since === null || !this.#orders.haveChanged(query, rows, since)
      if ((isCurrent && !isMissing) || attempt === ATTEMPTS) return { documents, total }
      // Another process has changed them, and did not tell of it yet.
      if (isCurrent) this.#orders.forget(query)
    }
  }

  async count(query: Filter): Promise<number> {
    if (isUnsatisfiable(query)) return 0
    const [row] = await this.#connection.varied(new QuerySql(query, this.#connection.dialect).count())
    return row?.total ?? 0
  }

  /** The order is that of the ids, so that the page is cut out of those that match. */
  async #inOrder(query: Query, docIds: readonly string[]): Promise<Found> {
    const matches = new QuerySql(query, this.#connection.dialect).matches()
    const found = await this.#connection.varied<{ n: number; doc_id: string }>(
      sql`select d.n, d.doc_id from documents d where d.n in (${matches})`,
    )
    const rows = new Map(found.map(({ n, doc_id }) => [doc_id, n]))
    const matching = docIds.flatMap((docId) => rows.get(docId) ?? [])
    const page = matching.slice(query.offset, query.offset + query.limit)
    return { documents: await this.#documents(query, page), total: matching.length }
  }

  async #bySlug(view: View, slug: string): Promise<Document[]> {
    const { bySlug, values } = viewStatements(view, this.#connection.dialect)
    return this.#toDocuments(await this.#connection.fixed(bySlug, { ...values, slug: foldText(slug) }))
  }

  /** The total comes with the page, or is counted when the page is empty. */
  async #ranked(query: Query): Promise<Found> {
    const rows = await this.#connection.varied(new QuerySql(query, this.#connection.dialect).rankedPage(query))
    const total = rows[0]?.total ?? (query.offset === 0 ? 0 : await this.count(query))
    return { documents: this.#toDocuments(rows), total }
  }

  /** Those of the rows that the view shows, in their order. */
  async #documents(view: View, rows: readonly number[]): Promise<Document[]> {
    if (rows.length === 0) return []
    const { dialect } = this.#connection
    const { page, values } = viewStatements(view, dialect)
    const found = await this.#connection.fixed(page, { ...values, rows: dialect.rowsText(rows) })
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

/** The one slug that is asked for, where nothing else is. Two archived documents may have the same one. */
function slugOf({ conditions, docIds, search, offset, limit }: Query): string | null {
  const [condition, ...others] = conditions
  const isAlone = others.length === 0 && docIds === undefined && search === undefined && offset === 0 && limit > 0
  if (!isAlone || condition?.kind !== 'column' || condition.column !== 'slug') return null
  return condition.anyOf.length === 1 ? (condition.anyOf[0] ?? null) : null
}

/** Whether hits come in the order of how well they match. */
function isRanked(query: Query): boolean {
  return query.search !== undefined && query.sort.length === 0 && query.limit > 0
}

function isUnsatisfiable(query: Filter): boolean {
  return query.docIds?.length === 0 || query.conditions.some((condition) => condition.kind === 'never')
}
