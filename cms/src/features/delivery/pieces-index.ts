import type { JsonObject } from '../../base/json.ts'
import { foldText } from '../../base/text.ts'
import { shownDocuments } from '../../engine/answers/shown-documents.ts'
import type { Context } from '../../engine/context.ts'
import { type OfferedChoice, offeredChoices } from '../../engine/lists/choices.ts'
import { find, type ListRequest } from '../../engine/lists/find.ts'
import { type ChosenFilter, getFilters, withFilter } from '../../engine/presentation/url-operations.ts'
import { areCombined, listRequest } from '../../engine/urls/index-lists.ts'
import type { QueryValue } from '../../http/requests/route.ts'
import type { FilterChoice, PageData, PageFilter } from '../../model/declared/page-data-types.ts'
import type { IndexFilter, IndexOptions, Type } from '../../model/declared/types.ts'
import type { IndexRequest } from './found.ts'

/** The pieces that an index page lists, and what they are filtered by. */
export type PiecesData = Required<
  Pick<PageData, 'currentPage' | 'totalPages' | 'totalPieces' | 'filters' | 'piecesFilters'>
> &
  Pick<PageData, 'clearUrl'> & { readonly pieces: JsonObject[] }

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
  const offers: Offer[] = []
  for (const filter of index.filters) offers.push(await offerOf(ctx, request, filter, list.filters[filter.name]))
  if (offers.some(({ filter, chosen }) => list.inPath.includes(filter.name) && !chosen?.isInUse)) return null
  const shown = await shownDocuments(ctx, documents, { as: 'pageData', project: null, isRendered: true })
  const piecesFilters = offers.map(({ filter, choices }) => {
    const left = choices.filter(({ count }) => count > 0)
    return [filter.name, left.map((choice) => shownChoice(filter, choice, choice.count))]
  })
  return {
    pieces: [...shown.values()],
    currentPage: list.number,
    totalPages: pages,
    totalPieces: total,
    ...filterLinks({ ctx, index, offers, pageUrl }),
    piecesFilters: Object.fromEntries(piecesFilters),
  }
}

/** A filter of an index page: its values in the request, and those to choose from. */
interface Offer {
  readonly filter: IndexFilter
  /** Null where the list is not filtered by it. */
  readonly chosen: ChosenFilter | null
  /** The values in the request, spelled as links do where they are in use. */
  readonly values: readonly string[]
  readonly choices: readonly OfferedChoice[]
  readonly inUse: number
}

/** The choices that an index page offers for a filter when a request asks for `value`. At most two statements. */
async function offerOf(
  ctx: Context,
  request: ListRequest,
  filter: IndexFilter,
  value: QueryValue | undefined,
): Promise<Offer> {
  const requested = (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string')
  const { choices, inUse } = await offeredChoices(ctx, request, { name: filter.name, requested })
  const active = choices.filter(({ isActive }) => isActive).map(({ value }) => String(value))
  const spellings = new Map(active.map((text) => [foldText(text), text]))
  const values = [...new Set(requested.map((text) => spellings.get(foldText(text)) ?? text))]
  const offer = { filter, values, choices, inUse }
  const other = value === undefined ? null : { name: filter.name, value, isInUse: false }
  return { ...offer, chosen: chosenOf(offer, values) ?? other }
}

function chosenOf({ filter, choices }: Omit<Offer, 'chosen'>, values: readonly string[]): ChosenFilter | null {
  const [only, ...others] = values
  if (only === undefined) return null
  if (others.length > 0) return { name: filter.name, value: values, isInUse: false }
  const isInUse = choices.some(({ value, isActive }) => isActive && String(value) === only)
  return { name: filter.name, value: only, isInUse }
}

/** An index page with what it offers. */
interface FilteredPage {
  readonly ctx: Context
  readonly index: IndexOptions
  /** In the order of declaration. */
  readonly offers: readonly Offer[]
  readonly pageUrl: string
}

/** The most characters of filters that links keep: an index page has hundreds of them. */
const MOST_KEPT = 2000

/** A page whose links keep the filters, unless these are too long. */
interface LinkingPage extends FilteredPage {
  readonly isKeeping: boolean
}

/** The filters of an index page with their links (§4.2b), none of which has a page number. */
function filterLinks(given: FilteredPage): Pick<PageData, 'clearUrl'> & { filters: PageFilter[] } {
  const active = given.offers.flatMap(({ chosen }) => chosen ?? [])
  const page = { ...given, isKeeping: getFilters(given.ctx, active).length <= MOST_KEPT }
  const filters = page.offers.map((offer) => {
    const { filter, chosen, choices } = offer
    const { name, label } = filter
    const clearUrl = chosen === null ? {} : { clearUrl: urlOf(page, chosenWith(page, offer, null)) }
    return { name, label, ...clearUrl, choices: choices.map((choice) => linkedChoice(page, offer, choice)) }
  })
  return { filters, ...(active.length > 0 ? { clearUrl: page.pageUrl } : {}) }
}

/**
 * A choice with its link. Where a static build has no file for it together with the other filters, or where they are too
 * long to keep, it leads to the choice alone, and counts its pieces alone.
 */
function linkedChoice(page: LinkingPage, offer: Offer, choice: OfferedChoice): PageFilter['choices'][0] {
  const { filter, values } = offer
  const value = String(choice.value)
  if (choice.isActive) {
    const others = values.filter((one) => one !== value)
    // Front ends page through the list by the URL of what is active, and take it back by `clearUrl`.
    const left = page.ctx.isExternalFront ? offer.chosen : page.isKeeping ? chosenOf(offer, others) : null
    return {
      ...shownChoice(filter, choice, choice.count),
      _url: urlOf(page, chosenWith(page, offer, left)),
      active: true,
    }
  }
  const added: ChosenFilter = { name: filter.name, value, isInUse: true }
  const together = chosenWith(page, offer, added)
  const isAlone = !page.isKeeping || (page.ctx.site.static && page.ctx.isStaticBuild && !isBuilt(page, together))
  const count = isAlone ? choice.countAlone : choice.count
  return { ...shownChoice(filter, choice, count), _url: urlOf(page, isAlone ? [added] : together) }
}

/** A choice without its link. */
function shownChoice({ counts }: IndexFilter, choice: OfferedChoice, count: number): FilterChoice {
  const { value, label = String(value), type } = choice
  return { value, label, ...(type !== undefined && { type }), ...(counts ? { count } : {}) }
}

/** The filters of a request when one of them is changed, or left out. */
function chosenWith({ offers, isKeeping }: LinkingPage, changed: Offer, chosen: ChosenFilter | null): ChosenFilter[] {
  if (!isKeeping) return chosen === null ? [] : [chosen]
  return offers.flatMap((offer) => (offer === changed ? chosen : offer.chosen) ?? [])
}

function urlOf({ ctx, index, pageUrl }: FilteredPage, chosen: readonly ChosenFilter[]): string {
  return withFilter(pageUrl, getFilters(ctx, chosen, { inPath: index.filtersInPath }))
}

/** Whether static builds list a page with these filters (§4.6). */
function isBuilt({ ctx, index, offers }: FilteredPage, chosen: readonly ChosenFilter[]): boolean {
  if (getFilters(ctx, chosen, { inPath: index.filtersInPath }).includes('?')) return false
  const [one, other] = offers.filter(({ filter }) => chosen.some(({ name }) => name === filter.name))
  return !one || !other || areCombined(one, other)
}
