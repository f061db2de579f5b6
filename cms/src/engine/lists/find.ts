import type { DocId, Document } from '../../model/document.ts'
import type { Type } from '../../model/types.ts'
import type { Condition, Query, SearchQuery, Sort, View } from '../../store/store.ts'
import type { Context } from '../context.ts'
import type { ReadAccess } from '../permissions.ts'

/** A requested list: what the caller sees of the type, conditions, order, and page. */
export interface ListRequest {
  readonly type: Type
  readonly access: ReadAccess
  readonly view: View
  /** By the query parameter they came from: the choices of a filter leave out its own condition. */
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

/** Finds one page of a list (§4.1). A page past the end is empty. */
export async function find(ctx: Context, request: ListRequest): Promise<ListPage> {
  const { page, perPage, search, docIds, sort } = request
  const offset = (page - 1) * perPage
  const isInOrderOfIds = search !== null && docIds !== null
  const { documents, total } = isInOrderOfIds
    ? await inOrderOfIds(ctx, request, docIds, offset)
    : await ctx.store.documents.find({ ...matching(request), sort, offset, limit: perPage })
  return { documents, total, pages: Math.ceil(total / perPage) }
}

/** With both `_ids` and a search, the order of the ids wins. */
async function inOrderOfIds(ctx: Context, request: ListRequest, docIds: readonly DocId[], offset: number) {
  const all = { sort: [], offset: 0, limit: Math.max(docIds.length, 1) }
  const { documents, total } = await ctx.store.documents.find({ ...matching(request), ...all })
  const indexes = new Map(docIds.map((docId, index) => [docId, index]))
  const indexOf = ({ id }: Document) => indexes.get(id.docId) ?? 0
  documents.sort((one, other) => indexOf(one) - indexOf(other))
  return { documents: documents.slice(offset, offset + request.perPage), total }
}

/** The query for all pages of a list, `without` the filter of one parameter. */
export function matching(request: ListRequest, without?: string): Omit<Query, 'sort' | 'offset' | 'limit'> {
  const others = [...request.filters].filter(([parameter]) => parameter !== without)
  return {
    ...request.view,
    conditions: others.flatMap(([, conditions]) => conditions),
    ...(request.docIds ? { docIds: request.docIds } : {}),
    ...(request.search ? { search: request.search } : {}),
  }
}
