import { own } from '../../base/json.ts'
import { normalized } from '../../base/text.ts'
import type { Context } from '../../engine/context.ts'
import { choiceOf, choicesInUse } from '../../engine/lists/choices.ts'
import { pageAccess, pageType, visibilityOf } from '../../engine/pages/page-access.ts'
import { fallbacksOf, seenVisibility } from '../../engine/permissions.ts'
import { indexPageOf } from '../../engine/presentation/piece-urls.ts'
import { isStep } from '../../engine/presentation/url-operations.ts'
import { feedStep } from '../../engine/urls/feed-names.ts'
import { listRequest } from '../../engine/urls/index-lists.ts'
import { scopeOf, viewsOf } from '../../engine/view.ts'
import type { QueryValue, QueryValues } from '../../http/requests/route.ts'
import type { IndexOptions } from '../../model/declared/types.ts'
import type { Document } from '../../model/terms/document.ts'
import { slugOf, stateOf } from '../../model/terms/document.ts'
import type { Page, PagesView } from '../../store/contract/store.ts'
import type { IndexRequest, PathContent, ShownContent } from './found.ts'
import { pathOf, slugsAt, stepsBelow, stepsOf } from './url-path.ts'

/** A path below the prefix of its locale (`http/requests/locale-prefixes.ts`). */
interface PublicPath {
  readonly prefix: string
  readonly path: string
}

const NOT_FOUND: PathContent = { kind: 'notFound' }

/** Finds what is at a public path for a visitor. At most ten statements, and as many for each locale that it falls back to. */
export async function dispatch(ctx: Context, { prefix, path }: PublicPath, query: QueryValues): Promise<PathContent> {
  const sent = stepsOf(path)
  if (sent === null) return NOT_FOUND
  const steps = sent.filter((step) => step !== '')
  const isHome = steps.length === 0
  if (isHome ? path !== '/' : steps.length < sent.length) return redirect(prefix, isHome ? '/' : pathOf(steps))
  const request = { prefix, steps, query }
  const found = await findBelow(ctx, request)
  if (found.kind !== 'notFound') return found
  const former = await formerPage(ctx, prefix, steps)
  return former ?? (await inFallback(ctx, request)) ?? inLowerCase(prefix, steps) ?? NOT_FOUND
}

function redirect(prefix: string, path: string, status: 301 | 302 = 302): PathContent {
  return { kind: 'redirect', path: prefix + path, status }
}

/** A public path to find. */
interface PathRequest {
  readonly prefix: string
  readonly steps: readonly string[]
  readonly query: QueryValues
}

/**
 * Finds what is at a path: the page with the longest slug decides. When it has nothing there, the path may name a
 * filter or a page number of an index page above: the page `/articles/topics` does not hide `/articles/topics/art`.
 */
async function findBelow(ctx: Context, request: PathRequest): Promise<PathContent> {
  const all = slugsAt(request.steps)
  let slugs = all
  while (slugs.length > 0) {
    const page = await ctx.store.tree.bySlugs(pagesView(ctx), slugs)
    const depth = all.indexOf(page === null ? '' : slugOf(page.document))
    if (page === null || depth < 0) return NOT_FOUND
    const found = await foundAt(ctx, page, request)
    if (found !== null) return found
    slugs = ctx.site.static ? all.filter((_, at) => at < depth && isFilterDepth(request.steps.length - at)) : []
  }
  return NOT_FOUND
}

/** True for the number of steps that name a page number, one or two filters, or both. */
function isFilterDepth(steps: number): boolean {
  return steps === 2 || steps === 4 || steps === 6
}

/** The content of a page at a path; null for none. */
async function foundAt(ctx: Context, page: Page, { prefix, steps, query }: PathRequest): Promise<PathContent | null> {
  if (pageAccess(ctx, visibilityOf(page.document)) === null) return null
  const type = pageType(ctx, page.document.type)
  const index = type?.index ?? null
  const rest = stepsBelow(slugOf(page.document), steps)
  if (index === null) return rest.length === 0 ? { kind: 'page', page } : null
  const format = rest.length === 1 ? index.feed?.formats.find((one) => rest[0] === feedStep(one)) : undefined
  if (format !== undefined && type !== null) return { kind: 'feed', page, type, format }
  const list = indexRequest(ctx, index, rest, query)
  if (list !== null) {
    const isFirst = rest.at(-2) === 'page' && rest.length % 2 === 0 && rest.at(-1) === '1'
    if (isFirst) return redirect(prefix, pathOf(steps.slice(0, -2)))
    const spelled = await inSpelling(ctx, index, list)
    const spelledSteps = linkedSteps(index, { list, spelled }, { steps, rest })
    return spelledSteps === null ? { kind: 'index', page, list: spelled } : redirect(prefix, pathOf(spelledSteps))
  }
  const piece = rest.length === 1 ? await pieceAt(ctx, index, rest[0] ?? '') : null
  return piece && { kind: 'show', page, piece }
}

function pagesView({ locale, mode, actor }: Context): PagesView {
  return { locale, mode, archived: false, visibility: seenVisibility(actor) }
}

/** The list that path and query request of an index page; null where the path names something else. */
function indexRequest(
  { site }: Context,
  { filters, filtersInPath }: IndexOptions,
  rest: readonly string[],
  query: QueryValues,
): IndexRequest | null {
  const list: { [name: string]: QueryValue } = {}
  for (const { name } of filters) {
    const value = own(query, name)
    if (value !== undefined && value !== '') list[name] = value
  }
  const inQuery = own(query, 'page') ?? '1'
  if (rest.length === 0) return numbered(list, inQuery)
  if (!site.static || rest.length % 2 > 0) return null
  const pairs = rest.flatMap((name, at) => (at % 2 === 0 ? [[name, rest[at + 1] ?? ''] as const] : []))
  const [, number = inQuery] = (pairs.at(-1)?.[0] === 'page' ? pairs.pop() : null) ?? []
  const isOfFilters = pairs.every(([name]) => filters.some((filter) => filter.name === name))
  const values = Object.fromEntries(pairs)
  const inPath = Object.keys(values)
  if (!isOfFilters || inPath.length < pairs.length || pairs.length > filtersInPath) return null
  return { ...numbered({ ...list, ...values }, number), inPath }
}

/** An invalid number asks for a page that does not exist. */
function numbered(filters: IndexRequest['filters'], number: QueryValue): IndexRequest {
  const isNumber = typeof number === 'string' && /^[1-9]\d{0,14}$/.test(number)
  return { filters, number: isNumber ? Number(number) : Number.POSITIVE_INFINITY, inPath: [] }
}

async function pieceAt(ctx: Context, { piecesType }: IndexOptions, slug: string): Promise<Document | null> {
  const view = viewsOf(ctx).of(piecesType)
  if (view === null) return null
  const { documents } = await ctx.store.documents.find({
    ...scopeOf(view.type, ctx.locale, ctx.mode),
    archived: false,
    visibility: view.visibility,
    conditions: [{ kind: 'column', column: 'slug', anyOf: [slug] }],
    sort: [],
    offset: 0,
    // One more than there can be: then nothing has to be counted.
    limit: 2,
  })
  return documents.find((document) => slugOf(document) === slug) ?? null
}

/** The new URL of a published page that was at this path, or of an index page above it. */
async function formerPage(ctx: Context, prefix: string, steps: readonly string[]): Promise<PathContent | null> {
  if (ctx.mode === 'draft') return null
  const former = await ctx.store.tree.byFormerSlugs(ctx.locale, slugsAt(steps).slice(1))
  if (former === null) return null
  const [page] = await ctx.store.tree.pages({ ...pagesView(ctx), docIds: [former.docId] })
  const found = page && pageAccess(ctx, visibilityOf(page.document))
  const rest = stepsBelow(former.slug, steps)
  if (!found || (rest.length > 0 && found.type.index === null)) return null
  const to = slugOf(page.document).split('/').filter(Boolean)
  return redirect(prefix, pathOf([...to, ...rest]), ctx.site.historicRedirect)
}

/** Finds the content at the path in a locale that this one falls back to (§4.5), if the site shows such pages. */
async function inFallback(ctx: Context, request: PathRequest): Promise<PathContent | null> {
  for (const locale of ctx.site.pageFallback ? fallbacksOf(ctx, ctx.locale) : []) {
    const found = await findBelow({ ...ctx, locale }, request)
    if (found.kind === 'notFound' || found.kind === 'feed') continue
    return found.kind === 'redirect' ? found : ((await ownContent(ctx, request, found)) ?? { ...found, locale })
  }
  return null
}

/** A redirect to a document that the locale has, at another path; `notFound` where it is hidden, null where it is missing. */
async function ownContent(
  ctx: Context,
  { prefix, steps }: PathRequest,
  found: ShownContent,
): Promise<PathContent | null> {
  const isPiece = found.kind === 'show' && found.piece.id.locale !== ''
  const { id } = isPiece ? found.piece : found.page.document
  const own = await ctx.store.documents.get({ ...id, locale: ctx.locale })
  if (own === null) return null
  const { isArchived, visibility } = stateOf(own)
  const view = viewsOf(ctx).of(own.type)
  if (isArchived || !view?.includes(visibility)) return NOT_FOUND
  const rest = isPiece ? [slugOf(own)] : stepsBelow(slugOf(found.page.document), steps)
  const slug = isPiece ? (await indexPageOf(ctx, view.type, ctx))?.slug : slugOf(own)
  if (slug === undefined) return NOT_FOUND
  const path = pathOf([...slug.split('/').filter(Boolean), ...rest])
  return path === pathOf(steps) ? NOT_FOUND : redirect(prefix, path)
}

/** Slugs are in lower case. */
function inLowerCase(prefix: string, steps: readonly string[]): PathContent | null {
  const lower = steps.map((step) => normalized(step.toLowerCase(), 'NFC'))
  return lower.every((step, at) => step === steps[at]) ? null : redirect(prefix, pathOf(lower))
}

/** The list that is requested of an index page, with values in the path as links spell them where they are in use (§4.6). */
async function inSpelling(ctx: Context, index: IndexOptions, list: IndexRequest): Promise<IndexRequest> {
  const type = ctx.site.types.get(index.piecesType)
  const whole = type && list.inPath.length > 0 ? listRequest(ctx, index, type, { filters: {}, number: 1 }) : null
  if (!whole) return list
  const filters = { ...list.filters }
  for (const name of list.inPath) {
    const choice = choiceOf(await choicesInUse(ctx, whole, name), String(filters[name]))
    if (choice !== undefined) filters[name] = String(choice.value)
  }
  return { ...list, filters }
}

/**
 * The steps that links use for a filtered list, when others were sent: each list has one path, with the filters in the
 * order of their declaration. Null when they were sent. A value that has no path stays as it was sent.
 */
function linkedSteps(
  { filters: declared }: IndexOptions,
  { list, spelled }: { readonly list: IndexRequest; readonly spelled: IndexRequest },
  { steps, rest }: { readonly steps: readonly string[]; readonly rest: readonly string[] },
): string[] | null {
  const names = declared.map(({ name }) => name).filter((name) => list.inPath.includes(name))
  const linked = names.flatMap((name) => {
    const value = String(spelled.filters[name])
    return [name, isStep(value) ? value : String(list.filters[name])]
  })
  if (linked.every((step, at) => normalized(step, 'NFC') === rest[at])) return null
  return [...steps.slice(0, steps.length - rest.length), ...linked, ...rest.slice(linked.length)]
}
