import { CmsError } from '../../base/errors.ts'
import type { JsonObject } from '../../base/json.ts'
import type { Context } from '../../engine/context.ts'
import { choicesFor } from '../../engine/lists/choices.ts'
import { readFilters } from '../../engine/lists/filters.ts'
import { find, type ListRequest } from '../../engine/lists/find.ts'
import { defaultSort } from '../../engine/lists/sorting.ts'
import { type ReadAccess, readAccess } from '../../engine/permissions.ts'
import { present } from '../../engine/presentation/present.ts'
import { getChoiceFilter, withFilter } from '../../engine/presentation/url-operations.ts'
import { scopeOf } from '../../engine/related.ts'
import type { PageData, PageFilter } from '../../model/page-data.ts'
import type { IndexFilter, IndexOptions, Type } from '../../model/types.ts'
import type { View } from '../../store/store.ts'
import type { IndexRequest } from './dispatch.ts'

/** A filter offers so many values at most. */
const MOST_CHOICES = 500

/** The pieces that an index page lists, and what they are filtered by. */
export type PiecesData = Required<
  Pick<PageData, 'currentPage' | 'totalPages' | 'totalPieces' | 'filters' | 'piecesFilters'>
> & { readonly pieces: JsonObject[] }

/**
 * What an index page lists (§4.2b). Null where there is no such page: past the end (an index without pieces has one
 * page), where a filter asks for what it cannot, and where a path names a value that no piece has. A statement for each filter, two for the list, and what
 * relationships take.
 */
export async function piecesData(
  ctx: Context,
  { index, type }: { readonly index: IndexOptions; readonly type: Type },
  asked: IndexRequest,
  pageUrl: string,
): Promise<PiecesData | null> {
  const request = listRequest(ctx, index, type, asked)
  if (request === null || !Number.isSafeInteger(asked.number)) return null
  const { documents, total, pages } = await find(ctx, request)
  if (asked.number > Math.max(pages, 1) || (asked.isByPath && total === 0)) return null
  const pieces = await present(ctx, documents, { type, access: request.access, project: null, isDrawn: true })
  const filters: PageFilter[] = []
  for (const filter of index.filters) filters.push(await pageFilter(ctx, request, filter, { asked, pageUrl }))
  const piecesFilters = Object.fromEntries(
    filters.map(({ name, choices }) => [name, choices.map(({ _url, active, ...choice }) => choice)]),
  )
  return { pieces, currentPage: asked.number, totalPages: pages, totalPieces: total, filters, piecesFilters }
}

/** The list of pieces in the order of an index page, filtered as asked; null where it cannot be. */
export function listRequest(
  ctx: Context,
  index: IndexOptions,
  type: Type,
  { filters, number }: IndexRequest,
): ListRequest | null {
  const access = readAccess(ctx.actor, type)
  if (access === null) return null
  const view = piecesView(ctx, type, access)
  const list = { type, access, view }
  try {
    return {
      ...list,
      filters: readFilters(ctx, list, filters),
      docIds: null,
      search: null,
      sort: defaultSort(ctx, list),
      page: number,
      perPage: Math.min(index.perPage ?? type.perPage, ctx.site.limits.perPage),
    }
  } catch (error) {
    if (error instanceof CmsError && error.name === 'invalid') return null
    throw error
  }
}

/** The pieces of a type that an index page shows. */
export function piecesView(ctx: Context, type: Type, { visibility }: ReadAccess): View {
  return { ...scopeOf(type, ctx.locale, ctx.mode), archived: false, visibility }
}

async function pageFilter(
  ctx: Context,
  request: ListRequest,
  { name, label, counts }: IndexFilter,
  { asked, pageUrl }: { readonly asked: IndexRequest; readonly pageUrl: string },
): Promise<PageFilter> {
  const active = new Set(textsOf(asked.filters[name]))
  const found = ((await choicesFor(ctx, request, name)) ?? []).slice(0, MOST_CHOICES)
  const choices = found.map(({ value, label = String(value), count }) => ({
    value,
    label,
    _url: withFilter(pageUrl, getChoiceFilter(ctx, name, value)),
    ...(counts ? { count } : {}),
    ...(active.has(String(value)) ? { active: true as const } : {}),
  }))
  return { name, label, choices }
}

function textsOf(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).filter((one): one is string => typeof one === 'string')
}
