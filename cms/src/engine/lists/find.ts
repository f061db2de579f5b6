import type { Type } from '../../model/declared/types.ts'
import type { Document } from '../../model/terms/document.ts'
import type { DocId } from '../../model/terms/document-id.ts'
import type { Condition, DocumentWords, Filter, Query, SearchQuery, Sort, View } from '../../store/contract/store.ts'
import type { Context } from '../context.ts'
import type { TypeView } from '../view.ts'

/** A requested list: what the caller sees of the type, conditions, order, and page. */
export interface ListRequest {
  readonly type: Type
  readonly access: TypeView
  readonly view: View
  /** By the query parameter they came from: the choices of a filter leave out its own condition. */
  readonly filters: ReadonlyMap<string, Condition>
  readonly docIds: readonly DocId[] | null
  readonly search: ListSearch | null
  readonly sort: readonly Sort[]
  readonly page: number
  readonly perPage: number
}

/** The words that a caller searches for, and how they are read. */
export interface ListSearch extends SearchQuery {
  readonly asked: RequestedWords
  /** The documents that the index does not hold as they are now. */
  readonly waiting?: { readonly rows: readonly number[]; readonly documents: ReadonlyMap<number, DocumentWords> }
}

/** The words of a search, and how they are read. */
export interface RequestedWords {
  /** Matched by their stems, too, and with a mistake. */
  readonly search: readonly string[]
  /** Matched as they are; the last one by its beginning. */
  readonly autocomplete: readonly string[]
  readonly language: string
  /** The markers of the audiences that the caller belongs to. */
  readonly markers: readonly string[]
  /** Whether the type has words that weigh less. */
  readonly hasLow: boolean
}

/** One page of a list, and how long the whole list is. */
interface ListPage {
  readonly documents: Document[]
  readonly total: number
  readonly pages: number
}

/** Finds one page of a list (§4.1). A page past the end is empty. */
export async function find(ctx: Context, request: ListRequest): Promise<ListPage> {
  const { documents, total } = await ctx.store.documents.find(pageQuery(request))
  return { documents, total, pages: Math.ceil(total / request.perPage) }
}

/** The query for the page that is requested. */
export function pageQuery(request: ListRequest): Query {
  const { page, perPage, sort } = request
  return { ...matching(request), sort, offset: (page - 1) * perPage, limit: perPage }
}

/** The query for all pages of a list, `without` the filter of one parameter. */
export function matching(request: ListRequest, without?: string): Filter {
  const others = [...request.filters].filter(([parameter]) => parameter !== without)
  const all = others.flatMap(([, condition]) => (condition.kind === 'all' ? condition.of : condition))
  return {
    ...request.view,
    conditions: all,
    ...(request.docIds ? { docIds: request.docIds } : {}),
    ...(request.search ? { search: request.search } : {}),
  }
}

/** How many comparisons the conditions of a list consist of. */
export function comparisonsIn(conditions: Iterable<Condition>): number {
  let count = 0
  for (const condition of conditions) {
    const inner = 'of' in condition ? [condition.of].flat() : []
    count += inner.length > 0 ? comparisonsIn(inner) : 1
  }
  return count
}
