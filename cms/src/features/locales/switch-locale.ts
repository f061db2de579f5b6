import { encodedStep } from '../../base/build-url.ts'
import { invalid, notFound } from '../../base/errors.ts'
import { own } from '../../base/json.ts'
import { joinSlug } from '../../base/text.ts'
import { hasClipboard, storeClipboard, takeClipboard } from '../../engine/access/clipboards.ts'
import type { Context } from '../../engine/context.ts'
import { pagesVisibility } from '../../engine/pages/page-access.ts'
import { parsePartialId } from '../../engine/pages/parked.ts'
import { assertMay, assertMayRead, may, seesLocale, visitor } from '../../engine/permissions.ts'
import { baseUrlOf, pagePath } from '../../engine/presentation/document-url.ts'
import { indexPageOf } from '../../engine/presentation/piece-urls.ts'
import { viewOf, viewsOf } from '../../engine/view.ts'
import { CLIPBOARD_PARAMETER } from '../../http/pipeline/credentials.ts'
import { hostLocales } from '../../http/requests/locale-prefixes.ts'
import { textParameter } from '../../http/requests/read-parameters.ts'
import { Reply, type RouteRequest } from '../../http/requests/route.ts'
import type { Type } from '../../model/declared/types.ts'
import { DocumentId, isMode, type Locale, type Mode, type PartialId } from '../../model/terms/document-id.ts'
import type { CopyOutline } from '../../store/contract/store.ts'

/**
 * Returns the address of a document in another locale, or of the home page there when it is not there for this caller
 * (§4.5): a path, or a URL where the locale has another host. With that URL goes a token that fetches the clipboard.
 */
export async function switchLocale(ctx: Context, request: RouteRequest): Promise<{ redirectTo: string }> {
  const locale = localeNamed(ctx, parameter(request, 'locale'))
  const contextDocId = parameter(request, 'contextDocId')
  const clipboard = parameter(request, 'clipboard') ?? ''
  const slug = contextDocId ? await slugIn(ctx, locale, contextDocId) : null
  const { url, isElsewhere } = addressIn(ctx, request, locale, slug ?? '/')
  if (!isElsewhere || clipboard === '') return { redirectTo: url }
  return { redirectTo: `${url}?${CLIPBOARD_PARAMETER}=${await storeClipboard(ctx, clipboard)}` }
}

/** The slug of a document's page in a locale, below that of its index page for pieces; null where it has none. */
async function slugIn(ctx: Context, locale: Locale, text: string): Promise<string | null> {
  const given = parsePartialId(text)
  if (given === null) return null
  const mode: Mode = ctx.explicit.mode ?? given.mode ?? ctx.mode
  const [copy] = await ctx.store.documents.outlines([given.docId], { mode, locale })
  const type = copy && ctx.site.types.get(copy.type)
  if (!type) return null
  if (!viewOf(visitor(ctx.actor), type)?.includes(copy.visibility)) return null
  if (mode === 'draft' && !may(ctx.actor, 'readDraft', type)) return null
  return slugOfPage(ctx, type, copy, { locale, mode })
}

/** Returns the content that a token of `switchLocale` stands for, once (§4.5). */
export async function fetchClipboard(ctx: Context, { query, isHead }: RouteRequest): Promise<Reply> {
  const token = textParameter(query, 'token')
  if (!token) throw invalid('Send the token in "token".')
  if (isHead) {
    if (await hasClipboard(ctx, token)) return new Reply({ clipboard: '' }, HEADERS)
    throw notFound()
  }
  const clipboard = await takeClipboard(ctx, token)
  if (clipboard === null) throw notFound('The token has expired, or was used. Copy again.')
  return new Reply({ clipboard }, HEADERS)
}

const HEADERS = { 'Cache-Control': 'no-store' }

/**
 * Redirects to the page of a document in another locale (§4.5). `notfound` where it is not there for the caller,
 * `invalid` where it has no page. `type` is null for pages.
 */
export async function redirectToLocale(ctx: Context, type: Type | null, request: RouteRequest): Promise<Reply> {
  const { _id = '', toLocale = '' } = request.params
  const given = parsePartialId(_id)
  if (given === null || !seesLocale(ctx, toLocale)) throw notFound()
  const mode = ctx.explicit.mode ?? given.mode ?? ctx.mode
  assertReads(ctx, type, mode)
  const [copy] = await ctx.store.documents.outlines([given.docId], { mode, locale: toLocale })
  const found = copy && ctx.site.types.get(copy.type)
  const isOfType = type === null ? found?.family === 'page' : found === type
  if (!found || !isOfType || !viewOf(ctx.actor, found)?.includes(copy.visibility)) throw notFound()
  const slug = await slugOfPage(ctx, found, copy, { locale: toLocale, mode })
  if (slug === null) throw invalid('This document has no page of its own.')
  // Slugs may hold letters that no header can.
  const path = slug.split('/').map(encodedStep).join('/')
  return new Reply({}, { Location: addressIn(ctx, request, toLocale, path).url }, 302)
}

/** Refuses what the caller can never read of such documents, before one is looked up. */
function assertReads(ctx: Context, type: Type | null, mode: Mode): void {
  if (type === null) return void pagesVisibility(ctx, mode)
  assertMayRead(ctx, type)
  if (type.localized && mode === 'draft') assertMay(ctx.actor, 'readDraft', type)
  if (viewOf(ctx.actor, type) === null) throw notFound()
}

/** The documents that exist, thrice in one order: as they were named, in the other locale, and in all locales. */
interface Existing {
  readonly originalLocaleIds: readonly string[]
  readonly newLocaleIds: readonly string[]
  readonly aposDocIds: readonly string[]
}

/** Returns the ids of documents in another locale and a mode that the caller may see there (§4.5). One statement. */
export async function existInLocale(ctx: Context, body: { readonly [name: string]: unknown }): Promise<Existing> {
  const ids = idsIn(ctx, body.ids)
  const locale = localeNamed(ctx, body.locale)
  const { mode } = body
  if (!isMode(mode)) throw invalid('"mode" must be "draft" or "published".')
  const outlines = await ctx.store.documents.outlines([...ids.keys()], { mode, locale })
  const copies = new Map(outlines.filter((copy) => isVisible(ctx, copy, mode)).map((copy) => [copy.id.docId, copy.id]))
  const found = [...ids.values()].flatMap((given) => {
    const id = copies.get(given.docId)
    return id === undefined ? [] : [{ given: { locale: ctx.locale, mode, ...given }, id }]
  })
  return {
    originalLocaleIds: found.map(({ given, id }) => DocumentId.format(id.locale === '' ? id : given)),
    newLocaleIds: found.map(({ id }) => DocumentId.format(id)),
    aposDocIds: found.map(({ id }) => id.docId),
  }
}

/** The ids that can be of documents, each document once. */
function idsIn({ site }: Context, ids: unknown): ReadonlyMap<string, PartialId> {
  if (!Array.isArray(ids) || !ids.every((id) => typeof id === 'string')) throw invalid('"ids" must be a list of ids.')
  if (ids.length > site.limits.ids) throw invalid(`"ids" may hold at most ${site.limits.ids} ids.`)
  const given = ids
    .map(parsePartialId)
    .filter((id) => id !== null)
    .filter(({ locale }) => locale === undefined || site.locales.has(locale))
  return new Map(given.map((id) => [id.docId, id]))
}

function isVisible(ctx: Context, { type, visibility }: CopyOutline, mode: Mode): boolean {
  const view = viewsOf(ctx).of(type)
  return view?.includes(visibility) === true && (mode === 'published' || view.rights.has('readDraft'))
}

/** Returns the address of a slug in a locale: a path, or a URL where the locale has another host than the request. */
function addressIn(
  ctx: Context,
  request: RouteRequest,
  locale: Locale,
  slug: string,
): { readonly url: string; readonly isElsewhere: boolean } {
  const path = pagePath(ctx, locale, slug)
  const isElsewhere = !isSameHost(ctx, request, locale)
  return { url: isElsewhere ? baseUrlOf(ctx, locale) + path : path, isElsewhere }
}

/** The slug of the page that shows a document: below that of its index page for pieces; null where there is none. */
async function slugOfPage(
  ctx: Context,
  type: Type,
  { slug }: { readonly slug: string },
  scope: { readonly locale: Locale; readonly mode: Mode },
): Promise<string | null> {
  if (type.family === 'page') return slug
  const index = await indexPageOf(ctx, type, scope)
  return index && joinSlug(index.slug, slug)
}

/** Whether the locale has the host name that the request was sent to; of an unknown host, that of its locale. */
function isSameHost({ site, locale }: Context, { headers }: RouteRequest, to: Locale): boolean {
  const from = site.locales.get(hostLocales(site)(headers) ?? locale)
  return from?.hostname === site.locales.get(to)?.hostname
}

/** The locale of the site that a parameter names. Throws `invalid` for anything else. */
function localeNamed({ site }: Pick<Context, 'site'>, name: unknown): Locale {
  if (typeof name === 'string' && site.locales.has(name)) return name
  throw invalid(`"locale" must name a locale of this site: ${[...site.locales.keys()].join(', ')}.`)
}

/** A text in the body, else in the query; undefined when it is in neither. Anything but a text is `invalid`. */
function parameter({ body, query }: Pick<RouteRequest, 'body' | 'query'>, name: string): string | undefined {
  const value = own(body, name) ?? own(query, name)
  if (value === undefined || value === null || typeof value === 'string') return value ?? undefined
  throw invalid(`"${name}" takes one text.`)
}
