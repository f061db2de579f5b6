import { invalid } from '../base/errors.ts'
import { isObject } from '../base/json.ts'
import type { DocId, Document } from '../model/document.ts'
import type { Type } from '../model/types.ts'
import type { Condition, Query, SearchQuery, Sort, View } from '../store/store.ts'
import type { Context } from './context.ts'
import type { ReadAccess } from './permissions.ts'
import { refreshSearch } from './search.ts'

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

export interface ListPage {
  readonly documents: Document[]
  readonly total: number
  readonly pages: number
}

/** One page of a list (§4.1, decisions 4.1). A page past the end is empty. */
export async function find(ctx: Context, request: ListRequest): Promise<ListPage> {
  if (request.search) await refreshSearch(ctx)
  const { documents, total } = await ctx.store.documents.find({
    ...matching(request),
    sort: request.sort,
    offset: (request.page - 1) * request.perPage,
    limit: request.perPage,
  })
  return { documents, total, pages: Math.ceil(total / request.perPage) }
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
