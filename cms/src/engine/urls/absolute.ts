import type { Locale } from '../../model/terms/document.ts'
import { baseUrlOf, type UrlContext } from '../presentation/document-url.ts'

/**
 * The whole URL of a path that has the prefix of its locale, but not the site's, percent-encoded. Where there is no
 * base URL of static builds, they begin with the site's; and a site that is only built with that of its builds.
 */
export function absoluteUrl(ctx: UrlContext, locale: Locale, path: string): string {
  const base = baseUrlOf(ctx, locale) || baseUrlOf({ ...ctx, isStaticBuild: !ctx.isStaticBuild }, locale)
  const url = base + ctx.site.prefix + path
  return URL.canParse(url) ? new URL(url).href : url
}
