import type { Locale } from '../terms/document.ts'
import type { Site } from './types.ts'

/** A slug under which no page of a locale is ever reached (§4.2b), nor anything below it. */
interface ReservedSlug {
  readonly slug: string
  /** Whether a route of the service or the prefix of a locale takes the path. */
  readonly by: 'service' | 'locale'
}

type SiteLocales = Pick<Site, 'locales'> & {
  readonly discovery?: Pick<Site['discovery'], 'sitemap'>
  readonly editor?: Site['editor']
}

/** The slugs that the pages of a locale cannot have: where the service answers, and prefixes, which outweigh hosts. */
function reservedSlugs({ locales, discovery, editor }: SiteLocales, name: Locale): readonly ReservedSlug[] {
  const locale = locales.get(name)
  if (locale === undefined) return []
  // Below the prefix of a locale the interface answers too.
  const sitemaps = discovery?.sitemap ? ['/sitemaps'] : []
  const editors = editor ? [editor.path] : []
  const service = locale.prefix === '' ? ['/api', '/uploads', ...sitemaps, ...editors] : ['/api']
  const others = locale.prefix === '' ? [...locales.values()] : []
  return [
    ...service.map((slug) => ({ slug, by: 'service' }) as const),
    ...others.flatMap(({ prefix }) => (prefix === '' ? [] : [{ slug: decodeURI(prefix), by: 'locale' } as const])),
  ]
}

/** Returns the reserved slugs of all locales. */
export function allReservedSlugs(site: SiteLocales): { readonly locale: Locale; readonly slug: string }[] {
  return [...site.locales.keys()].flatMap((locale) => reservedSlugs(site, locale).map(({ slug }) => ({ locale, slug })))
}

/** The reserved slug that a slug is, or lies below; null for slugs of pages that are reached. */
export function reservedBy(site: SiteLocales, locale: Locale, slug: string): ReservedSlug | null {
  return reservedSlugs(site, locale).find((one) => slug === one.slug || slug.startsWith(`${one.slug}/`)) ?? null
}

/** Whether a number at its end makes a reserved slug one that is reached. */
export function needsNumber(site: SiteLocales, locale: Locale, slug: string): boolean {
  return reservedBy(site, locale, slug)?.slug === slug
}
