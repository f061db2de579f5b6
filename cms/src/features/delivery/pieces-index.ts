import type { JsonObject } from '../../base/json.ts'
import { foldText } from '../../base/text.ts'
import type { Context } from '../../engine/context.ts'
import { type ChoiceCount, choiceOf, choicesFor, choicesInUse, MOST_OFFERED } from '../../engine/lists/choices.ts'
import { find, type ListRequest } from '../../engine/lists/find.ts'
import { present } from '../../engine/presentation/present.ts'
import { getChoiceFilter, withFilter } from '../../engine/presentation/url-operations.ts'
import { listRequest } from '../../engine/urls/index-lists.ts'
import type { PageData, PageFilter } from '../../model/declared/page-data-types.ts'
import type { IndexFilter, IndexOptions, Type } from '../../model/declared/types.ts'
import type { IndexRequest } from './found.ts'

/** The pieces that an index page lists, and what they are filtered by. */
export type PiecesData = Required<
  Pick<PageData, 'currentPage' | 'totalPages' | 'totalPieces' | 'filters' | 'piecesFilters'>
> & { readonly pieces: JsonObject[] }

/**
 * The list of an index page (§4.2b). Null where there is no such page: past the end (an index without pieces has one
 * page), where a filter asks for what it cannot, and where a path names a value that is not in use. At most two
 * statements for each filter, two for the list, and what relationships take.
 */
export async function piecesData(
  ctx: Context,
  { index, type }: { readonly index: IndexOptions; readonly type: Type },
  list: IndexRequest,
  pageUrl: string,
): Promise<PiecesData | null> {
  const request = listRequest(ctx, index, type, list)
  if (request === null || !Number.isSafeInteger(list.number)) return null
  const { documents, total, pages } = await find(ctx, request)
  if (list.number > Math.max(pages, 1)) return null
  const filters: PageFilter[] = []
  for (const filter of index.filters) filters.push(await pageFilter(ctx, request, filter, { list, pageUrl }))
  if (list.inPath !== null && (total === 0 || !(await isInUse(ctx, request, list.inPath, list)))) return null
  const pieces = await present(ctx, documents, { access: request.access, project: null, isRendered: true })
  const piecesFilters = Object.fromEntries(
    filters.map(({ name, choices }) => [name, choices.map(({ _url, active, ...choice }) => choice)]),
  )
  return { pieces, currentPage: list.number, totalPages: pages, totalPieces: total, filters, piecesFilters }
}

async function pageFilter(
  ctx: Context,
  request: ListRequest,
  { name, label, counts }: IndexFilter,
  { list, pageUrl }: { readonly list: IndexRequest; readonly pageUrl: string },
): Promise<PageFilter> {
  const active = new Set(textsOf(list.filters[name]).map(foldText))
  const choices = (await offered(ctx, request, name)).map(({ value, label = String(value), count }) => ({
    value,
    label,
    _url: withFilter(pageUrl, getChoiceFilter(ctx, name, value)),
    ...(counts ? { count } : {}),
    ...(active.has(foldText(String(value))) ? { active: true as const } : {}),
  }))
  return { name, label, choices }
}

/**
 * The values that an index page offers for a filter: those of the whole list that other filters leave, so that each
 * link is one of the metadata's (§4.6).
 */
async function offered(ctx: Context, request: ListRequest, name: string): Promise<readonly ChoiceCount[]> {
  const whole = (await choicesInUse(ctx, request, name)).slice(0, MOST_OFFERED)
  if ([...request.filters.keys()].every((filter) => filter === name)) return whole
  const left = (await choicesFor(ctx, request, name)) ?? []
  const counts = new Map(left.map(({ value, count }) => [foldText(String(value)), count]))
  return whole.flatMap((choice) => {
    const count = counts.get(foldText(String(choice.value)))
    return count === undefined ? [] : [{ ...choice, count }]
  })
}

async function isInUse(ctx: Context, request: ListRequest, name: string, { filters }: IndexRequest): Promise<boolean> {
  return choiceOf(await choicesInUse(ctx, request, name), String(filters[name])) !== undefined
}

/** The values of a filter as they were requested. */
function textsOf(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).filter((one): one is string => typeof one === 'string')
}
