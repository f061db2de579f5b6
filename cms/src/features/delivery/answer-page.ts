import { notFound } from '../../base/errors.ts'
import type { JsonObject } from '../../base/json.ts'
import type { Context } from '../../engine/context.ts'
import { refusal, roleOf, visitor } from '../../engine/permissions.ts'
import type { Failure } from '../../http/errors.ts'
import { pathInLocale } from '../../http/locales.ts'
import { queryText } from '../../http/query.ts'
import { type FailedRequest, Reply, type RouteRequest } from '../../http/route.ts'
import { hasRole } from '../../model/roles.ts'
import { dispatch, type Found } from './dispatch.ts'
import { notFoundTemplate, pageData } from './page-data.ts'

/** The same URL has another answer for the front end, which names itself by headers. */
const VARY = { Vary: 'Authorization, Cookie, X-Requested-With, Apos-External-Front-Key' }

/**
 * What is at a public path (§4.2b): JSON for the external front end. Drafts need a role, and are refused
 * before anything is looked up.
 */
export async function answerPage(asked: Context, request: RouteRequest): Promise<Reply> {
  const ctx: Context = { ...asked, actor: visitor(asked.actor) }
  if (ctx.mode === 'draft' && !hasRole(roleOf(ctx.actor), 'contributor')) throw refusal(ctx.actor)
  const { url, headers, query, sender } = request
  const publicPath = pathInLocale(ctx.site, { url, headers })
  const found = await dispatch(ctx, publicPath, query)
  if (found.kind === 'redirect') return redirected(ctx, found, request)
  const data = await pageData(ctx, found, { url, path: publicPath.path, query })
  const status = data.template === notFoundTemplate(ctx) ? 404 : 200
  if (sender.isFrontend) return new Reply(data, VARY, status)
  throw notFound()
}

/** For the front end a redirect is data, without the site's prefix; the query stays. */
function redirected(
  { site }: Context,
  { path, status }: Extract<Found, { kind: 'redirect' }>,
  { url, sender }: RouteRequest,
): Reply {
  const query = queryText(url)
  const to = query === '' ? path : `${path}?${query}`
  if (sender.isFrontend) return new Reply({ redirect: true, url: to, status }, VARY)
  const headers = { ...VARY, Location: site.prefix + to, 'Content-Type': 'text/plain; charset=utf-8' }
  return new Reply(`Found. Redirecting to ${site.prefix}${to}`, headers, status)
}

/** A failure as the front end gets it. */
export async function answerFailure(_ctx: Context, { body }: Failure, _request: FailedRequest): Promise<Reply> {
  return new Reply(body as unknown as JsonObject, VARY)
}
