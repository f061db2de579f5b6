import { invalid } from '../../base/errors.ts'
import { isObject } from '../../base/json.ts'
import type { DocId, Document } from '../../model/document.ts'
import type { Type } from '../../model/types.ts'
import type { Condition, Query, SearchQuery, Sort, View } from '../../store/store.ts'
import type { Context } from '../context.ts'
import type { ReadAccess } from '../permissions.ts'
import { refreshSearch } from './search-index.ts'

/** A list that a caller asks for: what of the type is seen, what must hold, in which order, which page of it. */
export interface ListRequest {
  readonly type: Type
  readonly access: ReadAccess
  readonly view: View
  /** Keyed by the query parameter that asked for it, so that choices can leave their own filter out. */
  readonly filters: ReadonlyMap<string, readonly Condition[]>
  readonly docIds: readonly DocId[] | null
  readonly search: SearchQuery | null
  readonly sort: readonly Sort[]
  readonly page: number
  readonly perPage: number
}

/** One page of a list, and how long the whole list is. */
export interface ListPage {
  readonly documents: Document[]
  readonly total: number
  readonly pages: number
}

/** One page of a list (§4.1, decisions 4.1). A page past the end is empty. */
export async function find(ctx: Context, request: ListRequest): Promise<ListPage> {
  const { page, perPage, search, docIds, sort } = request
  if (search) await refreshSearch(ctx)
  const offset = (page - 1) * perPage
  const isInGivenOrder = search !== null && docIds !== null && sort.length === 0
  const { documents, total } = isInGivenOrder
    ? await inGivenOrder(ctx, request, docIds, offset)
    : await ctx.store.documents.find({ ...matching(request), sort, offset, limit: perPage })
  return { documents, total, pages: Math.ceil(total / perPage) }
}

/** Ids that are also searched: their order counts, not that of the search. */
async function inGivenOrder(ctx: Context, request: ListRequest, docIds: readonly DocId[], offset: number) {
  const all = { sort: [], offset: 0, limit: Math.max(docIds.length, 1) }
  const { documents, total } = await ctx.store.documents.find({ ...matching(request), ...all })
  const places = new Map(docIds.map((docId, place) => [docId, place]))
  const placeOf = ({ id }: Document) => places.get(id.docId) ?? 0
  documents.sort((one, other) => placeOf(one) - placeOf(other))
  return { documents: documents.slice(offset, offset + request.perPage), total }
}

/** What matches, all pages of it; without the filter of one parameter. */
export function matching(request: ListRequest, without?: string): Omit<Query, 'sort' | 'offset' | 'limit'> {
  const kept = [...request.filters].filter(([parameter]) => parameter !== without)
  return {
    ...request.view,
    conditions: kept.flatMap(([, conditions]) => conditions),
    ...(request.docIds ? { docIds: request.docIds } : {}),
    ...(request.search ? { search: request.search } : {}),
  }
}

/** Reads an outside value that must be one text. Throws `invalid` naming the parameter. */
export function oneText(name: string, value: unknown): string {
  if (typeof value === 'string') return value
  throw invalid(`${name} takes one value${isObject(value) ? ', not an object' : ''}.`)
}
