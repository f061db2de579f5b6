import { joinSlug } from '../../base/text.ts'
import type { Site } from '../../model/declared/types.ts'
import type { Locale } from '../../model/terms/document-id.ts'

/** The facts that URLs depend on. */
interface UrlContext {
  readonly site: Site
  readonly isStaticBuild: boolean
  readonly staticBaseUrl: string | null
}

/**
 * Returns the start of a locale's URLs, without the site's prefix: its host name, else the base URL, else nothing.
 * Static builds have a base URL of their own (§4.6).
 */
export function baseUrlOf({ site, isStaticBuild, staticBaseUrl }: UrlContext, locale: Locale): string {
  const hostname = site.locales.get(locale)?.hostname
  if (!hostname) return ((isStaticBuild ? staticBaseUrl : site.baseUrl) ?? '').replace(/\/+$/, '')
  const protocol = site.baseUrl === null ? 'https:' : new URL(site.baseUrl).protocol
  return `${protocol}//${hostname}`
}

/**
 * An absolute URL of a document, a page or a file, as answers hold it; null where there is none, and where nothing says
 * where the site is. Sites without a base URL are where the request was sent to.
 */
export function absoluteFor(
  ctx: UrlContext & { readonly origin: string | null; readonly locale: Locale },
  url: unknown,
): string | null {
  if (typeof url !== 'string' || url === '') return null
  if (!url.startsWith('/')) return url
  const base = baseUrlOf(ctx, ctx.locale) || (ctx.isStaticBuild ? '' : (ctx.origin ?? ''))
  return base === '' ? null : base + url
}

/** The path of a slug in a locale: with the prefix of the locale, and not that of the site. */
export function localePath({ site }: Pick<UrlContext, 'site'>, locale: Locale, slug: string): string {
  return (site.locales.get(locale)?.prefix ?? '') + slug
}

/** A page's public path: the prefixes of the site and of the locale, its slug; the home page of `/fr` is `/fr/`. */
export function pagePath(ctx: Pick<UrlContext, 'site'>, locale: Locale, slug: string): string {
  return ctx.site.prefix + localePath(ctx, locale, slug)
}

/** A page's public URL. */
export function pageUrl(ctx: UrlContext, locale: Locale, slug: string): string {
  return baseUrlOf(ctx, locale) + pagePath(ctx, locale, slug)
}

/** A piece's public URL: below its index page. */
export function pieceUrl(ctx: UrlContext, locale: Locale, indexSlug: string, slug: string): string {
  return pageUrl(ctx, locale, joinSlug(indexSlug, slug))
}

/**
 * The whole URL of a path that has the prefix of its locale, but not the site's, percent-encoded. Where there is no
 * base URL of static builds, they begin with the site's; and a site that is only built with that of its builds.
 */
export function absoluteUrl(ctx: UrlContext, locale: Locale, path: string): string {
  const base = baseUrlOf(ctx, locale) || baseUrlOf({ ...ctx, isStaticBuild: !ctx.isStaticBuild }, locale)
  const url = base + ctx.site.prefix + path
  return URL.canParse(url) ? new URL(url).href : url
}
