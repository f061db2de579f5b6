import { CmsError } from '../../base/errors.ts'
import type { IndexOptions, Type } from '../../model/declared/types.ts'
import type { View } from '../../store/contract/store.ts'
import type { Context } from '../context.ts'
import { readFilters } from '../lists/filters.ts'
import type { ListRequest } from '../lists/find.ts'
import { defaultSort } from '../lists/sorting.ts'
import { scopeOf, type TypeView, viewOf } from '../view.ts'

/** The filters and page number of a request for an index page. */
interface IndexPageRequest {
  /** Values by filter. */
  readonly filters: { readonly [name: string]: unknown }
  /** The page of the list, from 1. */
  readonly number: number
}

/** The list of pieces in the order of an index page, filtered as asked; null where it cannot be (§4.2b). */
export function listRequest(
  ctx: Context,
  index: IndexOptions,
  type: Type,
  { filters, number }: IndexPageRequest,
): ListRequest | null {
  const access = viewOf(ctx.actor, type)
  if (access === null) return null
  const view = piecesView(ctx, access)
  const list = { type, access, view }
  try {
    return {
      ...list,
      filters: readFilters(ctx, list, filters),
      docIds: null,
      search: null,
      sort: defaultSort(access),
      page: number,
      perPage: Math.min(index.perPage ?? type.perPage, ctx.site.limits.perPage),
    }
  } catch (error) {
    if (error instanceof CmsError && error.name === 'invalid') return null
    throw error
  }
}

/** The pieces of a type that an index page shows. */
export function piecesView(ctx: Context, { type, visibility }: TypeView): View {
  return { ...scopeOf(type, ctx.locale, ctx.mode), archived: false, visibility }
}
