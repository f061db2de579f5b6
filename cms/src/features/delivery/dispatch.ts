import { own } from '../../base/json.ts'
import type { Context } from '../../engine/context.ts'
import { choiceOf, choicesInUse } from '../../engine/lists/choices.ts'
import { pageAccess, pageType, visibilityOf } from '../../engine/pages/page-access.ts'
import { isAnonymous } from '../../engine/permissions.ts'
import { getChoiceFilter } from '../../engine/presentation/url-operations.ts'
import { feedStep } from '../../engine/urls/feed-names.ts'
import { listRequest } from '../../engine/urls/index-lists.ts'
import { scopeOf, viewsOf } from '../../engine/view.ts'
import type { QueryValue, QueryValues } from '../../http/requests/route.ts'
import type { IndexOptions } from '../../model/declared/types.ts'
import type { Document } from '../../model/terms/document.ts'
import type { Page, PagesView } from '../../store/contract/store.ts'
import type { IndexRequest, PathContent } from './found.ts'
import { pathOf, slugsAt, stepsBelow, stepsOf } from './url-path.ts'

/** A path below the prefix of its locale (`http/requests/locale-prefixes.ts`). */
interface PublicPath {
  readonly prefix: string
  readonly path: string
}

const NOT_FOUND: PathContent = { kind: 'notFound' }

/** Finds what is at a public path for a visitor. At most six statements. */
export async function dispatch(ctx: Context, { prefix, path }: PublicPath, query: QueryValues): Promise<PathContent> {
  const sent = stepsOf(path)
  if (sent === null) return NOT_FOUND
  const steps = sent.filter((step) => step !== '')
  const isHome = steps.length === 0
  if (isHome ? path !== '/' : steps.length < sent.length) return redirect(prefix, isHome ? '/' : pathOf(steps))
  const found = await findBelow(ctx, { prefix, steps, query })
  if (found.kind !== 'notFound') return found
  return (await formerPage(ctx, prefix, steps)) ?? inLowerCase(prefix, steps) ?? NOT_FOUND
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
    const depth = all.indexOf(String(page?.document.fields.slug))
    if (page === null || depth < 0) return NOT_FOUND
    const found = await foundAt(ctx, page, request)
    if (found !== null) return found
    slugs = ctx.site.static ? all.filter((_, at) => at < depth && isFilterDepth(request.steps.length - at)) : []
  }
  return NOT_FOUND
}

/** How many steps of a path name a page number, a filter, or both. */
function isFilterDepth(steps: number): boolean {
  return steps === 2 || steps === 4
}

/** The content of a page at a path; null for none. */
async function foundAt(ctx: Context, page: Page, { prefix, steps, query }: PathRequest): Promise<PathContent | null> {
  if (pageAccess(ctx, visibilityOf(page.document)) === null) return null
  const type = pageType(ctx, page.document.type)
  const index = type?.index ?? null
  const rest = stepsBelow(String(page.document.fields.slug), steps)
  if (index === null) return rest.length === 0 ? { kind: 'page', page } : null
  const format = rest.length === 1 ? index.feed?.formats.find((one) => rest[0] === feedStep(one)) : undefined
  if (format !== undefined && type !== null) return { kind: 'feed', page, type, format }
  const list = indexRequest(ctx, index, rest, query)
  if (list !== null) {
    const isFirst = rest.at(-2) === 'page' && rest.length % 2 === 0 && rest.at(-1) === '1'
    if (isFirst) return redirect(prefix, pathOf(steps.slice(0, -2)))
    const spelled = await inSpelling(ctx, index, list)
    const spelledSteps = linkedSteps(ctx, spelled, { steps, rest })
    return spelledSteps === null ? { kind: 'index', page, list: spelled } : redirect(prefix, pathOf(spelledSteps))
  }
  const piece = rest.length === 1 ? await pieceAt(ctx, index, rest[0] ?? '') : null
  return piece && { kind: 'show', page, piece }
}

function pagesView({ locale, mode, actor }: Context): PagesView {
  return { locale, mode, archived: false, visibility: isAnonymous(actor) ? 'public' : null }
}

/** The list that path and query request of an index page; null where the path names something else. */
function indexRequest(
  { site }: Context,
  { filters }: IndexOptions,
  rest: readonly string[],
  query: QueryValues,
): IndexRequest | null {
  const list: { [name: string]: QueryValue } = {}
  for (const { name } of filters) {
    const value = own(query, name)
    if (value !== undefined && value !== '') list[name] = value
  }
  if (rest.length === 0) return numbered(list, own(query, 'page') ?? '1')
  if (!site.static || rest.length % 2 > 0) return null
  const [name = '', value = '', ...last] = rest[0] === 'page' ? ['', '', ...rest] : rest
  if (last.length > 0 && (last[0] !== 'page' || last.length > 2)) return null
  if (name === '') return numbered(list, last[1] ?? '1')
  if (!filters.some((filter) => filter.name === name)) return null
  return { ...numbered({ ...list, [name]: value }, last[1] ?? '1'), inPath: name }
}

/** An invalid number asks for a page that does not exist. */
function numbered(filters: IndexRequest['filters'], number: QueryValue): IndexRequest {
  const isNumber = typeof number === 'string' && /^[1-9]\d{0,14}$/.test(number)
  return { filters, number: isNumber ? Number(number) : Number.POSITIVE_INFINITY, inPath: null }
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
  return documents.find(({ fields }) => fields.slug === slug) ?? null
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
  const to = String(page.document.fields.slug).split('/').filter(Boolean)
  return redirect(prefix, pathOf([...to, ...rest]), ctx.site.historicRedirect)
}

/** Slugs are in lower case. */
function inLowerCase(prefix: string, steps: readonly string[]): PathContent | null {
  const lower = steps.map((step) => step.toLowerCase().normalize('NFC'))
  return lower.every((step, at) => step === steps[at]) ? null : redirect(prefix, pathOf(lower))
}

/** The list that is requested of an index page, with the value in the path as links spell it where it is in use (§4.6). */
async function inSpelling(ctx: Context, index: IndexOptions, list: IndexRequest): Promise<IndexRequest> {
  const spelling = await spellingInUse(ctx, index, list)
  if (list.inPath === null || spelling === null) return list
  return { ...list, filters: { ...list.filters, [list.inPath]: spelling } }
}

/**
 * The steps that links use for a filtered list, when others were sent: each list has one path. Null when they were
 * sent, or when the value has no path.
 */
function linkedSteps(
  ctx: Context,
  { inPath, filters }: IndexRequest,
  { steps, rest }: { readonly steps: readonly string[]; readonly rest: readonly string[] },
): string[] | null {
  const valueAt = steps.length - rest.length + 1
  const value = inPath === null ? '' : String(filters[inPath])
  if (inPath === null || value.normalize('NFC') === steps[valueAt]) return null
  return getChoiceFilter(ctx, inPath, value).startsWith('/') ? steps.with(valueAt, value) : null
}

/**
 * How links spell the value in use that a path asks for (§4.6); null where it is not in use, or where the path names no
 * value.
 */
async function spellingInUse(
  ctx: Context,
  index: IndexOptions,
  { inPath, filters }: IndexRequest,
): Promise<string | null> {
  const type = ctx.site.types.get(index.piecesType)
  const request = type && inPath !== null ? listRequest(ctx, index, type, { filters: {}, number: 1 }) : null
  if (!request || inPath === null) return null
  const choice = choiceOf(await choicesInUse(ctx, request, inPath), String(filters[inPath]))
  return choice === undefined ? null : String(choice.value)
}
