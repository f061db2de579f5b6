import { CmsError } from '../../base/errors.ts'
import type { UnknownObject } from '../../base/json.ts'
import { waitForTurn } from '../../base/turns.ts'
import type { IndexOptions, Site, Type } from '../../model/declared/types.ts'
import type { View } from '../../store/contract/store.ts'
import type { Context } from '../context.ts'
import { offeredChoices } from '../lists/choices.ts'
import { readFilters } from '../lists/filters.ts'
import { type ListRequest, matching } from '../lists/find.ts'
import { defaultSort } from '../lists/sorting.ts'
import { getFilters } from '../presentation/url-operations.ts'
import { scopeOf, type TypeView, viewOf } from '../view.ts'

/** The filters and page number of a request for an index page. */
interface IndexPageRequest {
  /** Values by filter. */
  readonly filters: UnknownObject
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

/** The most combinations of values of two filters that static builds list. */
const MOST_COMBINED = 10_000

/** Whether static builds list the combinations of two filters: by how many values of each are in use (§4.6). */
export function areCombined(one: { readonly inUse: number }, other: { readonly inUse: number }): boolean {
  return one.inUse * other.inUse <= MOST_COMBINED
}

/** The pieces of a type that an index page shows. */
export function piecesView(ctx: Context, { type, visibility }: TypeView): View {
  return { ...scopeOf(type, ctx.locale, ctx.mode), archived: false, visibility }
}

/** A part of an index page's list: all of it, or what filters leave. */
export interface Part {
  /** Of one filter, or of two in the order of their declaration; none for the whole list. */
  readonly choices: readonly PartChoice[]
  readonly pages: number
}

/** A value of a filter, with an id that is the same in all locales. */
interface PartChoice {
  readonly name: string
  readonly value: string
  readonly id: string
}

/** A further page of an index page, or one of its filters. */
interface IndexUrl {
  /** The suffix of the URL of the index page: steps of a path, or a query. */
  readonly filter: string
  /** The steps of that path, not encoded; none of a query. */
  readonly steps: readonly string[]
  /** The suffix of its id in `i18nId`. */
  readonly id: string
  readonly isCombined: boolean
}

/** The lists of index pages of a type. */
interface IndexList {
  readonly ctx: Context
  readonly index: IndexOptions
  readonly type: Type
}

/**
 * Counts the pages that index pages of a type offer to visitors, and lists the values of filters in use, and their
 * combinations. A statement for the list, one for each filter, and at most 100 for each two filters that are combined.
 */
export async function indexParts(ctx: Context, index: IndexOptions, type: Type): Promise<Part[]> {
  const list = { ctx, index, type }
  const whole = listRequest(ctx, index, type, { filters: {}, number: 1 })
  if (whole === null) return []
  const narrowed: Narrowed[] = [{ choices: [], count: await ctx.store.documents.count(matching(whole)) }]
  const used: UsedFilter[] = []
  for (const { name } of index.filters) used.push(await usedFilter(list, name, {}))
  for (const { values } of used) narrowed.push(...values.map((value) => ({ choices: [value], count: value.count })))
  if (index.filtersInPath === 2) {
    for (const [at, one] of used.entries()) {
      for (const other of used.slice(at + 1)) narrowed.push(...(await combined(list, one, other)))
    }
  }
  return narrowed.map(({ choices, count }) => ({ choices, pages: Math.ceil(count / whole.perPage) }))
}

/** The part of a list that has some values. */
interface Narrowed {
  readonly choices: readonly PartChoice[]
  readonly count: number
}

/** Each two values of two filters that pieces have together. A statement for each value of the filter with fewer. */
async function combined(list: IndexList, one: UsedFilter, other: UsedFilter): Promise<Narrowed[]> {
  if (!areCombined(one, other)) return []
  const isOneFewer = one.inUse <= other.inUse
  const [fewer, more] = isOneFewer ? [one, other] : [other, one]
  const found: Narrowed[] = []
  for (const value of fewer.values) {
    await waitForTurn()
    const { values } = await usedFilter(list, more.name, { [fewer.name]: value.value })
    for (const other of values) {
      found.push({ choices: isOneFewer ? [value, other] : [other, value], count: other.count })
    }
  }
  return found
}

/** A filter with the values that have URLs. */
interface UsedFilter {
  readonly name: string
  readonly values: readonly (PartChoice & { readonly count: number })[]
  readonly inUse: number
}

async function usedFilter({ ctx, index, type }: IndexList, name: string, filters: object): Promise<UsedFilter> {
  const request = listRequest(ctx, index, type, { filters: { ...filters }, number: 1 })
  if (request === null) return { name, values: [], inUse: 0 }
  const { choices, inUse } = await offeredChoices(ctx, request, { name, requested: [] })
  const values = choices.map(({ value, docId, count }) => ({
    name,
    value: String(value),
    id: docId ?? String(value),
    count,
  }))
  return { name, values: values.filter(({ value }) => isUsable(value)), inUse }
}

/** The longest value that can be asked for (§0.4). */
const LONGEST_VALUE = 1000

/** Whether a value can be asked for. */
function isUsable(value: string): boolean {
  return value !== '' && value.length <= LONGEST_VALUE && value.isWellFormed()
}

/**
 * The URLs of an index page other than its own: its further pages, and those of each filter and combination, below it
 * where URLs are paths (§4.6).
 */
export function* indexUrls(site: Pick<Site, 'static'>, parts: readonly Part[]): Generator<IndexUrl> {
  for (const { choices, pages } of parts) {
    const chosen = choices.map(({ name, value }) => ({ name, value, isInUse: true }))
    for (let page = choices.length === 0 ? 2 : 1; page <= pages; page += 1) {
      const filter = getFilters({ site }, chosen, { inPath: chosen.length, page })
      // A value that cannot be a step is asked for by a query, which no file has.
      if (site.static && filter.includes('?')) break
      const id = [...choices.flatMap(({ name, id }) => [name, id]), page].map((part) => `.${part}`).join('')
      const steps = site.static ? filter.split('/').slice(1).map(decodeURIComponent) : []
      yield { filter, steps, id, isCombined: choices.length > 1 }
    }
  }
}
