import type { Locale } from '../../model/document.ts'
import type { Site } from '../../model/types.ts'

/**
 * Where the site is: the locale's host name, else the base URL with the site's prefix; empty when none is set (§4.6).
 */
function baseUrlOf(site: Site, locale: Locale): string {
  const hostname = site.locales.get(locale)?.hostname
  const base = (site.baseUrl ?? '').replace(/\/+$/, '')
  if (!hostname) return base + site.prefix
  const protocol = base === '' ? 'https:' : new URL(base).protocol
  return `${protocol}//${hostname}`
}

/** A page's public URL: base URL, the locale's prefix, its slug; the home page of `/fr` is `/fr/`. */
export function pageUrl(site: Site, locale: Locale, slug: string): string {
  return baseUrlOf(site, locale) + (site.locales.get(locale)?.prefix ?? '') + slug
}
