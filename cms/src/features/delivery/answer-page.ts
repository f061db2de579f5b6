import { notFound } from '../../base/errors.ts'
import { copyJson, type JsonObject } from '../../base/json.ts'
import { inTime } from '../../base/patience.ts'
import type { Context } from '../../engine/context.ts'
import { assertContributor, isAnonymous, isContributor, visitor } from '../../engine/permissions.ts'
import { annotateAreas, layoutCss } from '../../engine/rendering/annotate-areas.ts'
import { renderFailure } from '../../engine/rendering/render-failure.ts'
import { loadPageData, renderPage } from '../../engine/rendering/render-page.ts'
import { TemplateError } from '../../engine/rendering/template-error.ts'
import { feedText } from '../../engine/urls/feed.ts'
import { FEED_TYPES } from '../../engine/urls/feed-names.ts'
import { PUBLIC_VARY } from '../../http/pipeline/answer.ts'
import { withoutPreview } from '../../http/pipeline/credentials.ts'
import type { Failure } from '../../http/requests/failure-status.ts'
import { pathInLocale } from '../../http/requests/locale-prefixes.ts'
import { parseQuery, queryText } from '../../http/requests/query-string.ts'
import { flag } from '../../http/requests/read-parameters.ts'
import { type FailedRequest, Reply, type RouteRequest } from '../../http/requests/route.ts'
import type { PageData, PageTarget } from '../../model/declared/page-data-types.ts'
import { dispatch } from './dispatch.ts'
import { editorReads, insideScript, isMarked, withInsideScript } from './edited-page.ts'
import type { FeedContent, PageContent } from './found.ts'
import { emptyData, pageData, targetOf } from './page-data.ts'
import { findPreviewed, type PreviewActor, previewContext } from './previewed.ts'
import { redirectTo, varyAt, withQuery } from './redirects.ts'

/**
 * Pages and their scripts are the site's own: these headers only forbid framing, what no page needs, and what the site
 * says. External front ends pass them on with the page that they make.
 */
function frontEndHeaders(ctx: Context): Readonly<Record<string, string>> {
  return {
    Vary: PUBLIC_VARY,
    'Content-Security-Policy': ctx.site.contentSecurityPolicy,
    'X-Frame-Options': 'SAMEORIGIN',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    ...(showsDraft(ctx) ? draftHeaders(ctx) : {}),
  }
}

function showsDraft({ actor, mode }: Context): boolean {
  return actor.kind === 'preview' || (mode === 'draft' && isContributor(actor))
}

/** Browsers refuse to show a page that is both in a sandbox and in a group of windows of its own. */
function draftHeaders({ site }: Context): Readonly<Record<string, string>> {
  const policy = { 'Content-Security-Policy': site.draftSecurityPolicy }
  return site.editor === null ? policy : { ...policy, 'Cross-Origin-Opener-Policy': 'unsafe-none' }
}

function pageHeaders(ctx: Context): Readonly<Record<string, string>> {
  return { ...frontEndHeaders(ctx), 'Content-Type': 'text/html; charset=utf-8' }
}

/** A preview's URL must not leak to other sites, and no search engine or cache may store it. */
const PREVIEW_HEADERS = {
  'X-Quire-Preview': 'true',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
  'Cache-Control': 'no-store',
}

/**
 * Answers a public path (§4.2b): HTML for browsers, JSON for the external front end. Drafts need a role, and are
 * refused before anything is looked up.
 */
export async function answerPage(given: Context, request: RouteRequest): Promise<Reply> {
  if (given.actor.kind === 'preview') return answerPreview(given, given.actor, request)
  const ctx: Context = { ...given, actor: visitor(given.actor) }
  if (ctx.mode === 'draft') assertContributor(ctx)
  const { url, query, sender } = request
  const publicPath = pathInLocale(ctx.site, { url, headers: request.headers })
  const found = await dispatch(ctx, publicPath, query)
  if (found.kind === 'redirect') {
    return redirectTo(ctx, { path: withQuery(found.path, url), status: found.status }, request)
  }
  if (found.kind === 'feed') return answerFeed(ctx, found, varyAt(ctx.site, url))
  const data = await pageData(ctx, found, { url, path: publicPath.path, query })
  const target = { ...targetOf(ctx, data), isRefresh: flag(query, 'aposRefresh'), isMarked: isMarked(ctx, query) }
  const status = target.template === 'notFound' ? 404 : 200
  const headers = {
    Vary: varyAt(ctx.site, url),
    ...(status === 200 ? cachingOf(ctx, target) : {}),
    ...(target.isMarked ? editorReads(ctx) : {}),
    // Anybody can link to any value: nobody needs to find what nobody has written.
    ...(isEmptyChoice(found, data) ? { 'X-Robots-Tag': 'noindex' } : {}),
  }
  return answerData(ctx, data, { target, status, headers, isFrontend: sender.isFrontend })
}

/** True for an index page whose filters find nothing. */
function isEmptyChoice(found: PageContent, { totalPieces }: PageData): boolean {
  return found.kind === 'index' && totalPieces === 0 && Object.keys(found.list.filters).length > 0
}

/** A feed of an index page, for the external front end, too. */
async function answerFeed(ctx: Context, { page, type, format }: FeedContent, vary: string): Promise<Reply> {
  const text = await feedText(ctx, { page, type }, format)
  if (text === null) throw notFound()
  const headers = cachingOf(ctx, { type: type.name })
  return new Reply(text, { Vary: vary, ...headers, 'Content-Type': `${FEED_TYPES[format]}; charset=utf-8` })
}

/** The draft that a preview shows, whatever is at the path; the page does not learn that it is one. */
async function answerPreview(given: Context, actor: PreviewActor, request: RouteRequest): Promise<Reply> {
  const { headers, query, sender } = request
  const url = withoutPreview(request.url)
  const ctx = previewContext(given, actor)
  const { found, viewer } = await findPreviewed(ctx, actor)
  const { path } = pathInLocale(ctx.site, { url, headers })
  const data = await pageData(ctx, found, { url, path, query }, viewer)
  const target = { ...targetOf(ctx, data), isRefresh: flag(query, 'aposRefresh'), isMarked: false }
  const status = target.template === 'notFound' ? 404 : 200
  return answerData(ctx, data, { target, status, headers: PREVIEW_HEADERS, isFrontend: sender.isFrontend })
}

const ERROR_PAGE: PageTarget = { type: null, template: 'error', isRefresh: false, isMarked: false }

/** How page data are answered. */
interface Form {
  readonly target: PageTarget
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly isFrontend: boolean
}

async function answerData(ctx: Context, data: PageData, form: Form): Promise<Reply> {
  const { target, status, headers, isFrontend } = form
  if (!isFrontend) return render(ctx, data, form)
  await complete(ctx, target, data)
  if (target.isMarked) data.bundleMarkup.js.push(...insideScript(ctx, data, { isFrontend }))
  return new Reply(await annotated(ctx, data), { ...frontEndHeaders(ctx), ...headers }, status)
}

/** Returns how long others may cache the page, where its type says so and it is the same for all. */
function cachingOf({ site, actor }: Context, { type }: Pick<PageTarget, 'type'>): Readonly<Record<string, string>> {
  const maxAge = site.types.get(type ?? '')?.maxAge ?? null
  return maxAge === null || !isAnonymous(actor) ? {} : { 'Cache-Control': `public, max-age=${maxAge}` }
}

/** The page as HTML. A template that fails is answered as it says (development), or by the site's page for failures. */
async function render(ctx: Context, data: PageData, { target, status, headers }: Form): Promise<Reply> {
  try {
    await complete(ctx, target, data)
    const text = withInsideScript(ctx, await renderPage(ctx, target, data), { target, data })
    return new Reply(text, { ...pageHeaders(ctx), ...headers }, status)
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    const failing = {
      data,
      isMarked: target.isMarked,
      render: (failed: PageData) => renderPage(ctx, ERROR_PAGE, failed),
    }
    return new Reply(await renderFailure(ctx, error, failing), pageHeaders(ctx), 500)
  }
}

/** Adds the data that the type loads for its template, and the additions of hooks. */
async function complete(ctx: Context, target: PageTarget, data: PageData): Promise<void> {
  await loadPageData(ctx, target, data)
  if (ctx.hooks.names.has('beforeSend')) await inTime('The hook beforeSend', ctx.hooks.run('beforeSend', data, ctx))
}

/** Page data for an external front end. */
async function annotated(ctx: Context, data: PageData): Promise<PageData> {
  // Others hold it, too.
  data.global = copyJson(data.global)
  const { page, piece, pieces = [], global } = data
  const documents = [page, piece, ...pieces, global].filter(
    (one): one is JsonObject => one !== null && one !== undefined,
  )
  await annotateAreas(ctx, documents)
  const css = layoutCss(ctx, documents)
  if (css !== '') data.appendHead += `<style>${css}</style>`
  return data
}

/**
 * The page that a failure is answered with (§4.2b). Our own failures need nothing of the database, which may be their
 * reason.
 */
export async function answerFailure(given: Context, failure: Failure, request: FailedRequest): Promise<Reply> {
  if (request.isFrontend && failure.status !== 404) return new Reply(failure.body, { Vary: PUBLIC_VARY })
  const ctx: Context = { ...given, actor: visitor(given.actor) }
  const isOurs = failure.status >= 500
  const { url, headers } = request
  const sent = { url, path: pathInLocale(ctx.site, { url, headers }).path, query: queryOf(url) }
  const data = isOurs ? emptyData(ctx, sent) : await pageData(ctx, { kind: 'notFound' }, sent)
  data.error = { ...failure.body, status: failure.status }
  const target: PageTarget = isOurs ? ERROR_PAGE : { ...ERROR_PAGE, template: 'notFound' }
  if (request.isFrontend) {
    await complete(ctx, target, data)
    return new Reply(await annotated(ctx, data), frontEndHeaders(ctx))
  }
  return new Reply(await renderPage(ctx, target, data), pageHeaders(ctx))
}

/** The query itself may be wrong. */
function queryOf(url: string) {
  try {
    return parseQuery(queryText(url))
  } catch {
    return {}
  }
}
