import type { IncomingHttpHeaders } from 'node:http'
import Negotiator from 'negotiator'
import { languageTag } from '../../base/text.ts'
import { type Actor, ANONYMOUS, seesLocale, visitor } from '../../engine/permissions.ts'
import type { LocaleOptions, Site } from '../../model/declared/types.ts'
import { hostLocales } from '../requests/locale-prefixes.ts'
import { claimsFrontEnd } from './credentials.ts'

/** A redirect by the visitor's language. */
interface LanguageTarget {
  readonly locale: string
  /** Below the site's prefix, with the query that was sent: `/fr/?page=2`. */
  readonly path: string
}

/** The redirect for a request; null where there is none. */
export type LanguageRedirect = (url: string, headers: IncomingHttpHeaders, actor: Actor) => LanguageTarget | null

/** Added to `Vary` of answers at `/`. */
export const LANGUAGE_VARY = 'Accept-Language, Sec-Fetch-Site'

type SiteFacts = Pick<Site, 'locales' | 'defaultLocale' | 'prefix' | 'trustProxy' | 'redirectByLanguage'>

/** The longest `Accept-Language` that is read. */
const MAX_HEADER = 1000

/** A query that says itself what is to be shown. */
const EXPLICIT = /(^|[?&])(aposLocale|aposMode|aposRefresh|quirePreview)\b/

/**
 * Redirects visitors of `/` by `Accept-Language` (§4.5), if the site has chosen so: to the public locale of the same
 * host that they prefer. Visitors who come from another page of the site have chosen, and stay. Null for other sites.
 */
export function languageRedirects(site: SiteFacts): LanguageRedirect | null {
  if (!site.redirectByLanguage) return null
  const localeOfHost = hostLocales(site)
  return (url, headers, actor) => {
    if (!isRoot(site, url) || EXPLICIT.test(url) || claimsFrontEnd(headers) || comesFromWithin(headers)) return null
    const here = site.locales.get(localeOfHost(headers) ?? site.defaultLocale)
    const best = here && preferredOf(localesAtHost(site, here, actor), headers)
    if (!best || best === here) return null
    return { locale: best.name, path: `${best.prefix}/${url.slice(site.prefix.length + 1)}` }
  }
}

/** True for the URL of the home page of a locale without a prefix. */
export function isRoot({ prefix }: Pick<Site, 'prefix'>, url: string): boolean {
  return url.startsWith(`${prefix}/`) && (url.length === prefix.length + 1 || url[prefix.length + 1] === '?')
}

function comesFromWithin(headers: IncomingHttpHeaders): boolean {
  const from = headers['sec-fetch-site']
  return from === 'same-origin' || from === 'same-site'
}

/** The public locales of the same host; the one that is there already, if the visitor sees it, first: it wins a tie. */
function localesAtHost(site: SiteFacts, here: LocaleOptions, actor: Actor): LocaleOptions[] {
  const viewer = { site, actor: ANONYMOUS }
  const others = [...site.locales.values()].filter(
    (locale) => locale !== here && locale.hostname === here.hostname && seesLocale(viewer, locale.name),
  )
  return seesLocale({ site, actor: visitor(actor) }, here.name) ? [here, ...others] : others
}

function preferredOf(locales: readonly LocaleOptions[], headers: IncomingHttpHeaders): LocaleOptions | undefined {
  const { length = 0 } = headers['accept-language'] ?? ''
  if (length === 0 || length > MAX_HEADER) return undefined
  const languages = new Negotiator({ headers }).languages().flatMap(lookupOrder)
  for (const language of languages) {
    const found = locales.find(({ name }) => isOf(languageTag(name).toLowerCase(), language))
    if (found) return found
  }
  return undefined
}

/** True for a language and its varieties. */
function isOf(tag: string, language: string): boolean {
  return language === '*' || tag === language || tag.startsWith(`${language}-`)
}

/** A language and what it is a variety of, the closest first (RFC 4647 §3.4): `zh-tw`, `zh-hant`, `zh`. */
function lookupOrder(tag: string): string[] {
  const steps = tag.toLowerCase().split('-')
  const wider = steps.map((_, index) => steps.slice(0, steps.length - index).join('-'))
  return [...wider.slice(0, -1), ...withScript(tag), ...wider.slice(-1)]
}

/** The language with the script that it is usually written in there. */
function withScript(tag: string): string[] {
  try {
    const { language, script } = new Intl.Locale(tag).maximize()
    return script === undefined ? [] : [`${language}-${script}`.toLowerCase()]
  } catch {
    return []
  }
}
