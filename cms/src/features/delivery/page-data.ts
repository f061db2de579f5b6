import { html } from '../../base/html.ts'
import type { Json, JsonObject } from '../../base/json.ts'
import { shownDocuments, shownPages } from '../../engine/answers/shown-documents.ts'
import type { Context } from '../../engine/context.ts'
import { defaultSort } from '../../engine/lists/sorting.ts'
import { baseUrlOf } from '../../engine/presentation/document-url.ts'
import { fallbackIn } from '../../engine/rendering/fallback-language.ts'
import { canonicalOf } from '../../engine/rendering/page-metadata.ts'
import { pageStyles } from '../../engine/styles/page-styles.ts'
import { feedLinks } from '../../engine/urls/feed-names.ts'
import { piecesView } from '../../engine/urls/index-lists.ts'
import { viewOf } from '../../engine/view.ts'
import { PREVIEW_PARAMETER } from '../../http/pipeline/credentials.ts'
import type { QueryValues } from '../../http/requests/route.ts'
import type { PageData, PageTarget } from '../../model/declared/page-data-types.ts'
import type { Type } from '../../model/declared/types.ts'
import type { Document } from '../../model/terms/document.ts'
import type { Page } from '../../store/contract/store.ts'
import type { PageContent, ShownContent } from './found.ts'
import { alternateLinks, localizations } from './localizations.ts'
import { type PiecesData, piecesData } from './pieces-index.ts'
import { globalData, homeTree, surroundingsOf } from './surroundings.ts'

/** The parts of a request that are in page data. */
interface RequestFacts {
  /** Path and query, as requested. */
  readonly url: string
  /** The path below the prefixes. */
  readonly path: string
  readonly query: QueryValues
}

/** The page data that depend on what is at the path. */
type OwnData = Pick<PageData, 'page' | 'template' | 'piece' | 'previous' | 'next'> & Partial<PiecesData>

/** The template of what was not found. */
function notFoundTemplate({ site }: Context): string {
  return `${site.namespace}/page:notFound`
}

/**
 * Loads the data of a page (§4.2b). The page may turn out not to exist: a page of an index past its end. A constant
 * number of statements. In a preview `viewer` is the visitor to whom its draft is presented.
 */
export async function pageData(
  ctx: Context,
  found: PageContent,
  request: RequestFacts,
  viewer: Context = ctx,
): Promise<PageData> {
  const own = (await shownData(ctx, found, viewer)) ?? { page: null, template: notFoundTemplate(ctx) }
  const shown =
    own.page === null ? null : { page: String(own.page.aposDocId), piece: (own.piece?.aposDocId as string) ?? null }
  const locales = await localizations(ctx, shown)
  const { prependBody, bodyClasses } = await pageStyles(ctx)
  const data = {
    ...emptyData(ctx, request),
    ...own,
    prependBody,
    aposBodyClasses: bodyClasses,
    appendHead: '',
    home: await homeTree(ctx),
    global: await globalData(ctx),
    localizations: locales,
  }
  data.appendHead = headLinks(ctx, found, data)
  return data
}

function headLinks(ctx: Context, found: PageContent, data: PageData): string {
  const feeds = feedLinks(ctx, data.page)
  if (fallbackIn(data.page) === null) return (isFurther(found) ? '' : alternateLinks(ctx, data.localizations)) + feeds
  const canonical = canonicalOf(ctx, data)
  return (canonical === null ? '' : html`<link rel="canonical" href="${canonical}">`.text) + feeds
}

/** Further pages of an index, and filtered ones, are not the same in other locales. */
function isFurther(found: PageContent): boolean {
  return found.kind === 'index' && (found.list.number !== 1 || Object.keys(found.list.filters).length > 0)
}

/** Page data that need no database. */
export function emptyData(ctx: Context, request: RequestFacts): PageData {
  return {
    page: null,
    template: notFoundTemplate(ctx),
    home: null,
    global: {},
    localizations: [],
    ...requestData(ctx, request),
    ...siteData(ctx),
  }
}

/** Returns the template that renders the data. */
export function targetOf(ctx: Context, { template, page }: PageData): Omit<PageTarget, 'isRefresh' | 'isMarked'> {
  if (page === null || template === notFoundTemplate(ctx)) return { type: null, template: 'notFound' }
  const kind = template.slice(template.lastIndexOf(':') + 1)
  return { type: String(page.type), template: kind === 'index' || kind === 'show' ? kind : 'page' }
}

/** The own data of a page; of one that stands in for a missing one (§4.5) in its locale, and marked with it. */
async function shownData(ctx: Context, found: PageContent, viewer: Context): Promise<OwnData | null> {
  if (found.kind === 'notFound' || found.kind === 'redirect') return null
  const { locale } = found
  if (locale === undefined) return ownData(ctx, found, viewer)
  const there = { ...ctx, locale }
  const own = await ownData(there, found, there)
  const { page, piece, previous, next, pieces = [] } = own ?? {}
  for (const one of [page, piece, previous, next, ...pieces]) if (one?.aposLocale !== undefined) one._fallback = locale
  return own
}

async function ownData(ctx: Context, found: ShownContent, viewer: Context): Promise<OwnData | null> {
  const page = await shownPage(ctx, found.page, found.kind === 'show' ? ctx : viewer)
  if (page === null) return null
  if (found.kind === 'page') return { page, template: `${page.type}:page` }
  const index = ctx.site.types.get(String(page.type))?.index ?? null
  const type = index && ctx.site.types.get(index.piecesType)
  if (!index || !type) return null
  if (found.kind === 'index') {
    const pieces = await piecesData(ctx, { index, type }, found.list, String(page._url))
    if (pieces === null) return null
    for (const piece of pieces.pieces) nameParent(piece, type, page)
    return { page, template: `${page.type}:index`, ...pieces }
  }
  const { previous, next } = await neighbours(ctx, type, found.piece)
  const documents = [found.piece, previous, next].filter((one) => one !== null)
  const shown = await shownDocuments(viewer, documents, TEMPLATE)
  const answerOf = (document: Document | null) => (document && shown.get(document)) ?? null
  const piece = answerOf(found.piece)
  if (piece === null) return null
  nameParent(piece, type, page)
  return { page, piece, template: `${page.type}:show`, previous: answerOf(previous), next: answerOf(next) }
}

/** How templates get documents. */
const TEMPLATE = { as: 'pageData', project: null, isRendered: true } as const

const ALONE = { previous: null, next: null }

/** The pieces before and after one, in the order of its index page. */
async function neighbours(ctx: Context, type: Type, { id }: Document) {
  const access = viewOf(ctx.actor, type)
  if (access === null) return ALONE
  return ctx.store.documents.neighbours(piecesView(ctx, access), defaultSort(access), id.docId)
}

/** Names the index page of a piece, as far as links to it need. A relationship of the site may have the name. */
function nameParent(
  piece: JsonObject,
  { fields }: Type,
  { _id, aposDocId, type, title, slug, _url }: JsonObject,
): void {
  if (fields.byName.has('_parent')) return
  piece._parent = Object.fromEntries(Object.entries({ _id, aposDocId, type, title, slug, _url }).filter(isDefined))
}

function isDefined(entry: [string, Json | undefined]): entry is [string, Json] {
  return entry[1] !== undefined
}

/** A page with what is around it. */
async function shownPage(ctx: Context, page: Page, viewer: Context): Promise<JsonObject | null> {
  const shown = await shownPages(viewer, [page], TEMPLATE)
  const answer = shown.get(page.position.docId)
  if (answer === undefined) return null
  const { historicUrls, ancestors, children } = await surroundingsOf(ctx, page)
  return Object.assign(answer, { historicUrls, _ancestors: ancestors, _children: children })
}

function requestData(ctx: Context, { url, path, query }: RequestFacts) {
  const { site, locale } = ctx
  const prefix = site.locales.get(locale)?.prefix ?? site.prefix
  const baseUrl = baseUrlOf(ctx, locale)
  const baseUrlWithPrefix = baseUrl + site.prefix
  const { apikey: _, apiKey: __, [PREVIEW_PARAMETER]: ___, ...own } = query
  return { url, slug: path, query: own as JsonObject, baseUrl, baseUrlWithPrefix, absoluteUrl: baseUrl + url, prefix }
}

function siteData(ctx: Context) {
  const { site, locale } = ctx
  const { label = locale, direction = 'ltr' } = site.locales.get(locale) ?? {}
  const user = userOf(ctx)
  return {
    locale,
    i18n: { locale, label, direction, defaultLocale: site.defaultLocale },
    ...(user === null ? {} : { user }),
    staticUrls: site.static,
    module: `${site.namespace}/page`,
    aposBodyData: {
      scene: user === null ? 'public' : 'apos',
      prefix: site.prefix,
      shortName: site.name,
      locale,
      mode: ctx.mode,
      ...(user === null ? {} : { user: { ...user } }),
    },
    aposBodyClasses: '',
    bundleMarkup: { js: [], css: [] },
    prependHead: '',
    appendHead: '',
    prependBody: '',
    appendBody: '',
    prependMain: '',
    appendMain: '',
  }
}

/** Returns the signed-in user, with the properties that templates need. */
function userOf({ actor }: Context): JsonObject | null {
  if (actor.kind !== 'user' && actor.kind !== 'key') return null
  const { id: _id, username, name: title, role, firstName, lastName } = actor
  return { _id, ...(username === null ? {} : { username }), title, role, firstName, lastName }
}
