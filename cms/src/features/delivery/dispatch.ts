import { own } from '../../base/json.ts'
import type { Context } from '../../engine/context.ts'
import { pageAccess, pageType, visibilityOf } from '../../engine/pages/page-access.ts'
import { isAnonymous, readAccess } from '../../engine/permissions.ts'
import { scopeOf } from '../../engine/related.ts'
import { feedStep } from '../../engine/urls/feed-names.ts'
import type { QueryValue, QueryValues } from '../../http/requests/route.ts'
import type { IndexOptions } from '../../model/declared/types.ts'
import type { Document } from '../../model/terms/document.ts'
import type { Page, PagesView } from '../../store/contract/store.ts'
import { inSpelling, linkedSteps } from './filter-values.ts'
import type { Found, IndexRequest } from './found.ts'
import { pathOf, slugsAt, stepsBelow, stepsOf } from './url-path.ts'

/** A path below the prefix of its locale (`http/requests/locale-prefixes.ts`). */
export interface PublicPath {
  readonly prefix: string
  readonly path: string
}

const NOT_FOUND: Found = { kind: 'notFound' }

/** Finds what is at a public path for a visitor. At most six statements. */
export async function dispatch(ctx: Context, { prefix, path }: PublicPath, query: QueryValues): Promise<Found> {
  const sent = stepsOf(path)
  if (sent === null) return NOT_FOUND
  const steps = sent.filter((step) => step !== '')
  const isHome = steps.length === 0
  if (isHome ? path !== '/' : steps.length < sent.length) return redirect(prefix, isHome ? '/' : pathOf(steps))
  const found = await findBelow(ctx, { prefix, steps, query })
  if (found.kind !== 'notFound') return found
  return (await formerPage(ctx, prefix, steps)) ?? inLowerCase(prefix, steps) ?? NOT_FOUND
}

function redirect(prefix: string, path: string, status: 301 | 302 = 302): Found {
  return { kind: 'redirect', path: prefix + path, status }
}

/** A public path to find. */
interface Wanted {
  readonly prefix: string
  readonly steps: readonly string[]
  readonly query: QueryValues
}

/**
 * Finds what is at a path: the page with the longest slug decides. When it has nothing there, the path may name a
 * filter or a page number of an index page above: the page `/articles/topics` does not hide `/articles/topics/art`.
 */
async function findBelow(ctx: Context, wanted: Wanted): Promise<Found> {
  const all = slugsAt(wanted.steps)
  let slugs = all
  while (slugs.length > 0) {
    const page = await ctx.store.tree.bySlugs(pagesView(ctx), slugs)
    const depth = all.indexOf(String(page?.document.fields.slug))
    if (page === null || depth < 0) return NOT_FOUND
    const found = await foundAt(ctx, page, wanted)
    if (found !== null) return found
    slugs = ctx.site.static ? all.filter((_, at) => at < depth && isFilterDepth(wanted.steps.length - at)) : []
  }
  return NOT_FOUND
}

/** How many steps of a path name a page number, a filter, or both. */
function isFilterDepth(steps: number): boolean {
  return steps === 2 || steps === 4
}

/** What a page has at a path; null for nothing. */
async function foundAt(ctx: Context, page: Page, { prefix, steps, query }: Wanted): Promise<Found | null> {
  if (pageAccess(ctx, visibilityOf(page.document)) === null) return null
  const type = pageType(ctx, page.document.type)
  const index = type?.index ?? null
  const rest = stepsBelow(String(page.document.fields.slug), steps)
  if (index === null) return rest.length === 0 ? { kind: 'page', page } : null
  const format = rest.length === 1 ? index.feed?.formats.find((one) => rest[0] === feedStep(one)) : undefined
  if (format !== undefined && type !== null) return { kind: 'feed', page, type, format }
  const asked = indexRequest(ctx, index, rest, query)
  if (asked !== null) {
    const isFirst = rest.at(-2) === 'page' && rest.length % 2 === 0 && rest.at(-1) === '1'
    if (isFirst) return redirect(prefix, pathOf(steps.slice(0, -2)))
    const spelled = await inSpelling(ctx, index, asked)
    const spelledSteps = linkedSteps(ctx, spelled, { steps, rest })
    return spelledSteps === null ? { kind: 'index', page, asked: spelled } : redirect(prefix, pathOf(spelledSteps))
  }
  const piece = rest.length === 1 ? await pieceAt(ctx, index, rest[0] ?? '') : null
  return piece && { kind: 'show', page, piece }
}

function pagesView({ locale, mode, actor }: Context): PagesView {
  return { locale, mode, archived: false, visibility: isAnonymous(actor) ? 'public' : null }
}

/** What is asked of an index page by path and query; null where the path names something else. */
function indexRequest(
  { site }: Context,
  { filters }: IndexOptions,
  rest: readonly string[],
  query: QueryValues,
): IndexRequest | null {
  const asked: { [name: string]: QueryValue } = {}
  for (const { name } of filters) {
    const value = own(query, name)
    if (value !== undefined && value !== '') asked[name] = value
  }
  if (rest.length === 0) return numbered(asked, own(query, 'page') ?? '1')
  if (!site.static || rest.length % 2 > 0) return null
  const [name = '', value = '', ...last] = rest[0] === 'page' ? ['', '', ...rest] : rest
  if (last.length > 0 && (last[0] !== 'page' || last.length > 2)) return null
  if (name === '') return numbered(asked, last[1] ?? '1')
  if (!filters.some((filter) => filter.name === name)) return null
  return { ...numbered({ ...asked, [name]: value }, last[1] ?? '1'), inPath: name }
}

/** An invalid number asks for a page that does not exist. */
function numbered(filters: IndexRequest['filters'], number: QueryValue): IndexRequest {
  const isNumber = typeof number === 'string' && /^[1-9]\d{0,14}$/.test(number)
  return { filters, number: isNumber ? Number(number) : Number.POSITIVE_INFINITY, inPath: null }
}

async function pieceAt(ctx: Context, { piecesType }: IndexOptions, slug: string): Promise<Document | null> {
  const type = ctx.site.types.get(piecesType)
  const access = type && readAccess(ctx.actor, type)
  if (!type || !access) return null
  const { documents } = await ctx.store.documents.find({
    ...scopeOf(type, ctx.locale, ctx.mode),
    archived: false,
    visibility: access.visibility,
    conditions: [{ kind: 'column', column: 'slug', anyOf: [slug] }],
    sort: [],
    offset: 0,
    // One more than there can be: then nothing has to be counted.
    limit: 2,
  })
  return documents.find(({ fields }) => fields.slug === slug) ?? null
}

/** The new URL of a published page that was at this path, or of an index page above it. */
async function formerPage(ctx: Context, prefix: string, steps: readonly string[]): Promise<Found | null> {
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
function inLowerCase(prefix: string, steps: readonly string[]): Found | null {
  const lower = steps.map((step) => step.toLowerCase().normalize('NFC'))
  return lower.every((step, at) => step === steps[at]) ? null : redirect(prefix, pathOf(lower))
}
