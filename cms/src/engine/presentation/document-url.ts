import { joinSlug } from '../../base/text.ts'
import type { Site } from '../../model/declared/types.ts'
import type { Locale } from '../../model/terms/document.ts'

/** The facts that URLs depend on. */
export interface UrlContext {
  readonly site: Site
  readonly isStaticBuild: boolean
  readonly staticBaseUrl: string | null
}

/**
 * Where the site is, without its prefix: the locale's host name, else the base URL, else nothing. Static builds have a
 * base URL of their own (§4.6).
 */
export function baseUrlOf({ site, isStaticBuild, staticBaseUrl }: UrlContext, locale: Locale): string {
  const hostname = site.locales.get(locale)?.hostname
  if (!hostname) return ((isStaticBuild ? staticBaseUrl : site.baseUrl) ?? '').replace(/\/+$/, '')
  const protocol = site.baseUrl === null ? 'https:' : new URL(site.baseUrl).protocol
  return `${protocol}//${hostname}`
}

/** A page's public path: the prefixes of the site and of the locale, its slug; the home page of `/fr` is `/fr/`. */
export function pagePath({ site }: Pick<UrlContext, 'site'>, locale: Locale, slug: string): string {
  return site.prefix + (site.locales.get(locale)?.prefix ?? '') + slug
}

/** A page's public URL. */
export function pageUrl(ctx: UrlContext, locale: Locale, slug: string): string {
  return baseUrlOf(ctx, locale) + pagePath(ctx, locale, slug)
}

/** A piece's public URL: below its index page. */
export function pieceUrl(ctx: UrlContext, locale: Locale, indexSlug: string, slug: string): string {
  return pageUrl(ctx, locale, joinSlug(indexSlug, slug))
}
