import type { Context } from '../../engine/context.ts'
import { PUBLIC_VARY } from '../../http/pipeline/answer.ts'
import { withoutClipboard } from '../../http/pipeline/credentials.ts'
import { isRoot, LANGUAGE_VARY, languageRedirects } from '../../http/pipeline/language.ts'
import { pathInLocale } from '../../http/requests/locale-prefixes.ts'
import { queryText } from '../../http/requests/query-string.ts'
import { Reply, type RouteRequest } from '../../http/requests/route.ts'
import { rendersPages } from '../../model/declared/template.ts'
import type { Site } from '../../model/declared/types.ts'
import { pathOf, stepsOf } from './url-path.ts'

/** The parts of a request that a redirect depends on. */
type RequestUrl = Pick<RouteRequest, 'url' | 'headers' | 'sender'>

/** A redirect to a path below the site's prefix. For the front end it is data. */
export function redirectTo(
  { site }: { readonly site: Pick<Site, 'prefix'> },
  { path, status, vary = PUBLIC_VARY }: { readonly path: string; readonly status: number; readonly vary?: string },
  { sender }: Pick<RequestUrl, 'sender'>,
): Reply {
  if (sender.isFrontend) return new Reply({ redirect: true, url: path, status }, { Vary: vary })
  const headers = { Vary: vary, Location: site.prefix + path, 'Content-Type': 'text/plain; charset=utf-8' }
  return new Reply(`Found. Redirecting to ${site.prefix}${path}`, headers, status)
}

/** The path with the query that was sent. */
export function withQuery(path: string, url: string): string {
  const query = queryText(url)
  return query === '' ? path : `${path}?${query}`
}

/** The answer to a page that needs no lookup, such as a redirect; null for those that are rendered. */
type FirstRedirect = (ctx: Context, request: RouteRequest) => Reply | null

/**
 * Redirects to the same URL without the token of a clipboard, which is no part of it, from `/` to the visitor's
 * language, and to the prefix of a locale that has no URLs without it (§4.5).
 */
export function firstRedirects(site: Site): FirstRedirect {
  const ofLanguage = languageRedirects(site)
  return (ctx, request) => {
    const url = withoutClipboard(request.url)
    if (url !== request.url) {
      const path = safePath(site, { ...request, url })
      return path === null ? null : redirectTo(ctx, { path: withQuery(path, url), status: 302 }, request)
    }
    const path = ofLanguage?.(url, request.headers, ctx.actor)?.path ?? pathWithPrefix(ctx, request)
    return path === null ? null : redirectTo(ctx, { path, status: 302, vary: varyAt(site, url) }, request)
  }
}

/** The path with the prefix of the locale that the host has, where it came without: a page has one URL. */
function pathWithPrefix({ site, locale, explicit, actor }: Context, target: RequestUrl): string | null {
  const own = site.locales.get(locale)?.prefix ?? ''
  if (own === '' || explicit.locale !== null || actor.kind === 'preview') return null
  const path = pathInLocale(site, target).prefix === '' ? safePath(site, target) : null
  return path === null ? null : withQuery(own + path, target.url)
}

/** The headers that the answer to a URL depends on: at `/`, on the language, and where programs find the interface, on the type. */
export function varyAt(site: Site, url: string): string {
  if (!isRoot(site, url)) return PUBLIC_VARY
  const others = [site.redirectByLanguage ? LANGUAGE_VARY : null, rendersPages(site) ? null : 'Accept']
  return [PUBLIC_VARY, ...others.filter((names) => names !== null)].join(', ')
}

/** The path of the request, in a form that no browser takes for another site; null where it is malformed. */
function safePath(site: Site, target: Pick<RequestUrl, 'url' | 'headers'>): string | null {
  const { prefix, path } = pathInLocale(site, target)
  const steps = stepsOf(path)?.filter((step) => step !== '')
  return steps ? prefix + pathOf(steps) : null
}
