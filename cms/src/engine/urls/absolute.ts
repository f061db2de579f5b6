import type { Locale } from '../../model/document.ts'
import { baseUrlOf, type UrlContext } from '../presentation/url.ts'

/**
 * The whole URL of a path that has the prefix of its locale, but not the site's, percent-encoded. Static builds without a
 * base URL of their own use the site's.
 */
export function absoluteUrl(ctx: UrlContext, locale: Locale, path: string): string {
  const base = baseUrlOf(ctx, locale) || baseUrlOf({ ...ctx, isStaticBuild: false }, locale)
  const url = base + ctx.site.prefix + path
  return URL.canParse(url) ? new URL(url).href : url
}
