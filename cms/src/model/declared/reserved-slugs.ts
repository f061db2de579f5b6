import { type CmsError, invalid } from '../../base/errors.ts'
import { cutText, isSlugTooLong, PAGE_SLUG_LENGTH, SLUG_LENGTH } from '../../base/text.ts'
import type { Locale } from '../terms/document-id.ts'
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

/** The slug itself when it is not taken, else the first of `-2`, `-3`… that is not; cut to make room for the number. */
export function firstFree(slug: string, isTaken: (slug: string) => boolean): string {
  return firstOf(slug, (suffix) => withNumber(slug, suffix), isTaken)
}

/** A slug with a number at its end, cut to make room for it. */
export function withNumber(slug: string, suffix: string): string {
  const ownStart = slug.lastIndexOf('/') + 1
  const most = Math.min(ownStart + SLUG_LENGTH, slug.startsWith('/') ? PAGE_SLUG_LENGTH : SLUG_LENGTH)
  return cutText(slug, most - suffix.length) + suffix
}

/** Like `firstFree`, but never shortens a page's slug: throws `invalid` where it would be too long. */
export function firstFreeWhole(slug: string, isTaken: (slug: string) => boolean): string {
  const free = firstOf(slug, (suffix) => slug + suffix, isTaken)
  if (isSlugTooLong(free, { allow: '/' })) throw tooLong(free)
  return free
}

function firstOf(slug: string, numbered: (suffix: string) => string, isTaken: (slug: string) => boolean): string {
  let candidate = slug
  for (let number = 2; isTaken(candidate); number += 1) candidate = numbered(`-${number}`)
  return candidate
}

/** The refusal of a page's slug that would be too long. */
export function tooLong(slug: string): CmsError {
  const message = `The slug of a page would become too long: ${cutText(slug, 80)}… Give it or a page above it a shorter one.`
  return invalid(message, { errors: [{ path: 'slug', name: 'max', message }] })
}
