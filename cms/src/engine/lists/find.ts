import type { Type } from '../../model/declared/types.ts'
import type { DocId, Document } from '../../model/terms/document.ts'
import type { Condition, Filter, Query, SearchQuery, Sort, View } from '../../store/contract/store.ts'
import type { Context } from '../context.ts'
import type { TypeView } from '../view.ts'

/** A requested list: what the caller sees of the type, conditions, order, and page. */
export interface ListRequest {
  readonly type: Type
  readonly access: TypeView
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
  return {
    ...request.view,
    conditions: others.flatMap(([, conditions]) => conditions),
    ...(request.docIds ? { docIds: request.docIds } : {}),
    ...(request.search ? { search: request.search } : {}),
  }
}
