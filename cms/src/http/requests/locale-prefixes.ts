import type { IncomingHttpHeaders } from 'node:http'
import { invalid, notFound } from '../../base/errors.ts'
import { normalized } from '../../base/text.ts'
import type { Requested } from '../../engine/contexts.ts'
import { type Actor, type LocaleViewer, seenLocales, seesLocale } from '../../engine/permissions.ts'
import type { LocaleOptions, Site } from '../../model/declared/types.ts'
import { DocumentId, isMode, type Locale, type Mode } from '../../model/terms/document-id.ts'
import { sentHost } from './headers.ts'
import { textParameter } from './read-parameters.ts'
import type { QueryValues } from './route.ts'

/** A request before it is routed. */
interface Target {
  /** As it was sent: `/prefix/fr/api/v1/article?page=2`, or with a host in front. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
}

type SitePaths = Pick<Site, 'prefix' | 'locales' | 'trustProxy'>

const API = /^\/api(?:[/?#]|$)/

/**
 * The URL that a request to the API is routed by: without the locale's prefix, and with `@` where `%40` was sent, which
 * is the same but which the router keeps apart. Other URLs stay as they are.
 */
export function routedUrl(site: SitePaths, { url, headers }: Target): string {
  const path = withoutHost(url)
  const below = pathBelow(path, site.prefix)
  if (below === null) return path
  const rest = localeAt(site, below, headers)?.rest ?? below
  if (!API.test(rest)) return path
  return site.prefix + withAtSigns(rest)
}

/** The locale whose prefix the path of a request begins with, or null. */
export function localeOfPath(site: SitePaths, { url, headers }: Target): Locale | null {
  const below = pathBelow(withoutHost(url), site.prefix)
  return below === null ? null : (localeAt(site, below, headers)?.locale.name ?? null)
}

/**
 * Splits a path into the prefixes of site and locale, and the rest, as it was sent and without the query: `/about` in
 * `/site/fr/about`. The rest of a prefix alone is empty.
 */
export function pathInLocale(site: SitePaths, { url, headers }: Target): { prefix: string; path: string } {
  const [path = ''] = withoutHost(url).split(/[?#]/, 1)
  const below = pathBelow(path, site.prefix) ?? path
  const found = localeAt(site, below, headers)
  return found === null ? { prefix: '', path: below } : { prefix: found.locale.prefix, path: found.rest }
}

/** A URL as routes know it: from the path on, even when it was sent with a host in front. */
export function withoutHost(url: string): string {
  return url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?]*/i, '')
}

function withAtSigns(url: string): string {
  if (!url.includes('%40')) return url
  const questionMark = url.indexOf('?')
  if (questionMark < 0) return url.replaceAll('%40', '@')
  return url.slice(0, questionMark).replaceAll('%40', '@') + url.slice(questionMark)
}

/** A locale by its prefix, and what follows that in a path. */
interface LocalePath {
  readonly locale: LocaleOptions
  readonly rest: string
}

/** The locale with the longest prefix that the path begins with; of several with one prefix, that of the host. */
function localeAt(site: SitePaths, path: string, headers: IncomingHttpHeaders): LocalePath | null {
  let found: LocalePath | null = null
  for (const locale of site.locales.values()) {
    const gain: number = locale.prefix.length - (found?.locale.prefix.length ?? 0)
    const rest: string | null = gain < 0 || locale.prefix === '' ? null : pathBelow(path, locale.prefix)
    if (rest === null) continue
    const host = gain === 0 ? hostOf(site, headers) : ''
    const isNearer = gain > 0 || (found !== null && isAt(host, locale) && !isAt(host, found.locale))
    if (isNearer) found = { locale, rest }
  }
  return found
}

function isAt(host: string, { hostname }: LocaleOptions): boolean {
  return hostname !== null && (hostname === host || hostname === withoutPort(host))
}

function withoutPort(host: string): string {
  return host.replace(/:\d+$/, '')
}

/**
 * Returns the rest of a path after a prefix of whole steps; null where the path does not begin with it, however its
 * characters are encoded.
 */
function pathBelow(path: string, prefix: string): string | null {
  const sent = path.startsWith(prefix) ? prefix : path.includes('%') ? stepsOf(path, prefix) : ''
  if (sent.length === 0 && prefix !== '') return null
  const rest = path.slice(sent.length)
  return rest === '' || /^[/?#]/.test(rest) ? rest : null
}

/** The beginning of a path that says the same as a prefix in another encoding; empty where there is none. */
function stepsOf(path: string, prefix: string): string {
  const [begins = ''] = path.split(/[?#]/, 1)
  const steps = begins.split('/').slice(0, prefix.split('/').length).join('/')
  try {
    return encodeURI(normalized(decodeURI(steps), 'NFC')) === prefix ? steps : ''
  } catch {
    return ''
  }
}

/** The host that a request was sent to, without the root's dot and an empty port, which say nothing. */
function hostOf(site: Pick<Site, 'trustProxy'>, headers: IncomingHttpHeaders): string {
  return sentHost(headers, site)
    .replace(/:$/, '')
    .replace(/\.(?=:|$)/, '')
}

/**
 * Finds the locale of the host that a request was sent to: of several, the one without a prefix, else the first. Null
 * where locales have no host names, and for other hosts. A host name without a port stands for every port.
 */
export function hostLocales(
  site: Pick<Site, 'locales' | 'trustProxy'>,
): (headers: IncomingHttpHeaders) => Locale | null {
  const byHost = new Map<string, LocaleOptions>()
  for (const locale of site.locales.values()) {
    const host = locale.hostname?.toLowerCase()
    if (!host) continue
    const first = byHost.get(host)
    if (!first || (first.prefix !== '' && locale.prefix === '')) byHost.set(host, locale)
  }
  if (byHost.size === 0) return () => null
  return (headers) => {
    const host = hostOf(site, headers)
    return (byHost.get(host) ?? byHost.get(withoutPort(host)))?.name ?? null
  }
}

type SiteLocales = Pick<Site, 'locales' | 'defaultLocale'>

/** The locale of the `_id` in the path of a request; null where it has none, or names one that the site has not. */
export function localeOfId(
  { locales }: Pick<Site, 'locales'>,
  { _id = '' }: { readonly [name: string]: string },
): Locale | null {
  const locale = DocumentId.parse(_id)?.locale
  return locale !== undefined && locales.has(locale) ? locale : null
}

/**
 * Reads locale and mode. In order of increasing precedence: host name, path prefix and the path's `_id` (`byAddress`),
 * the query (§4.5). Unknown ones are `invalid`, naming those that the caller may know of. Whether the locale
 * is one of them is for `assertSees` to say.
 */
export function requestedOf(site: SiteLocales, query: QueryValues, byAddress: Locale | null, actor: Actor): Requested {
  const explicit = explicitOf(site, query, actor)
  const locale = explicit.locale ?? byAddress ?? site.defaultLocale
  return { locale, mode: explicit.mode ?? 'published', explicit }
}

/** Throws `notfound` for a locale that the caller may not know of. */
export function assertSees(viewer: LocaleViewer, locale: Locale): void {
  if (!seesLocale(viewer, locale)) throw notFound()
}

function explicitOf(site: SiteLocales, query: QueryValues, actor: Actor): Requested['explicit'] {
  const [locale = null, mode = null, ...rest] = textParameter(query, 'aposLocale')?.split(':') ?? []
  if (rest.length > 0 || (locale !== null && !site.locales.has(locale))) throw unknownLocale({ site, actor })
  const inLocale = modeOf(mode, 'aposLocale')
  return { locale, mode: modeOf(textParameter(query, 'aposMode') ?? null, 'aposMode') ?? inLocale }
}

function modeOf(text: string | null, name: string): Mode | null {
  if (text === null || isMode(text)) return text
  throw invalid(`The mode in "${name}" must be "draft" or "published".`)
}

function unknownLocale(viewer: LocaleViewer): Error {
  const names = seenLocales(viewer)
  return invalid(`"aposLocale" names no locale of this site. It can be: ${names.join(', ')}.`)
}
