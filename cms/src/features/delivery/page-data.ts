import type { Json, JsonObject } from '../../base/json.ts'
import type { Context } from '../../engine/context.ts'
import { defaultSort } from '../../engine/lists/sorting.ts'
import { presentPages } from '../../engine/pages/present-pages.ts'
import { baseUrlOf } from '../../engine/presentation/document-url.ts'
import { present } from '../../engine/presentation/present.ts'
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
import type { PageContent } from './found.ts'
import { alternateLinks, localizations } from './localizations.ts'
import { type PiecesData, piecesData } from './pieces-index.ts'
import { globalData, homeTree, surroundingsOf } from './surroundings.ts'

/** The parts of a request that are in page data. */
export interface RequestFacts {
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
 * Everything that a page is rendered with (§4.2b). What was found may turn out not to be there: a page of an index past
 * its end. A constant number of statements. In a preview `reader` reads the draft that is shown, and nothing else.
 */
export async function pageData(
  ctx: Context,
  found: PageContent,
  request: RequestFacts,
  reader: Context = ctx,
): Promise<PageData> {
  const own = (await ownData(ctx, found, reader)) ?? { page: null, template: notFoundTemplate(ctx) }
  const shown =
    own.page === null ? null : { page: String(own.page.aposDocId), piece: (own.piece?.aposDocId as string) ?? null }
  const locales = await localizations(ctx, shown)
  const { prependBody, bodyClasses } = await pageStyles(ctx)
  return {
    ...emptyData(ctx, request),
    ...own,
    prependBody,
    aposBodyClasses: bodyClasses,
    appendHead: (isFurther(found) ? '' : alternateLinks(ctx, locales)) + feedLinks(ctx, own.page),
    home: await homeTree(ctx),
    global: await globalData(ctx),
    localizations: locales,
  }
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

/** Which template renders these data. */
export function targetOf(ctx: Context, { template, page }: PageData): Omit<PageTarget, 'isRefresh'> {
  if (page === null || template === notFoundTemplate(ctx)) return { type: null, template: 'notFound' }
  const kind = template.slice(template.lastIndexOf(':') + 1)
  return { type: String(page.type), template: kind === 'index' || kind === 'show' ? kind : 'page' }
}

async function ownData(ctx: Context, found: PageContent, reader: Context): Promise<OwnData | null> {
  if (found.kind === 'notFound' || found.kind === 'redirect') return null
  const page = await shownPage(ctx, found.page, found.kind === 'show' ? ctx : reader)
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
  const access = viewOf(reader.actor, type)
  if (access === null) return null
  // A preview shows one draft: other documents may be for others only.
  const { previous, next } = reader === ctx ? await neighbours(ctx, type, found.piece) : ALONE
  const documents = [found.piece, previous, next].filter((one) => one !== null)
  const shown = await present(reader, documents, { access, project: null, isRendered: true })
  const answerOf = (document: Document | null) =>
    shown.find(({ aposDocId }) => aposDocId === document?.id.docId) ?? null
  const piece = answerOf(found.piece)
  if (piece === null) return null
  nameParent(piece, type, page)
  return { page, piece, template: `${page.type}:show`, previous: answerOf(previous), next: answerOf(next) }
}

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
async function shownPage(ctx: Context, page: Page, reader: Context): Promise<JsonObject | null> {
  const shown = await presentPages(reader, [page], { former: new Map(), project: null, isRendered: true })
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

/** Who is signed in, without what a template needs not know. */
function userOf({ actor }: Context): JsonObject | null {
  if (actor.kind !== 'user' && actor.kind !== 'key') return null
  const { id: _id, username, name: title, role, firstName, lastName } = actor
  return { _id, ...(username === null ? {} : { username }), title, role, firstName, lastName }
}
