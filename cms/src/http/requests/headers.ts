import type { IncomingHttpHeaders } from 'node:http'
import { parseCookie, stringifySetCookie } from 'cookie'
import { normalized } from '../../base/text.ts'
import type { Site } from '../../model/declared/types.ts'

const YEAR = 365 * 24 * 60 * 60

type SiteFacts = Pick<Site, 'cors' | 'baseUrl'>

/**
 * The headers of every answer: they keep browsers from misusing what we send. The policy forbids scripts and
 * framing, which is right for JSON; routes that answer HTML bring their own.
 */
export function defaultHeaders({ cors, baseUrl }: SiteFacts): Readonly<Record<string, string>> {
  return {
    ...shared({ cors, baseUrl }),
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': cors ? 'cross-origin' : 'same-origin',
  }
}

/** The headers of an uploaded file, in place of the default ones: other sites may show it. */
export function fileHeaders(site: SiteFacts): Readonly<Record<string, string>> {
  return { ...shared(site), 'cross-origin-resource-policy': 'cross-origin', 'accept-ranges': 'bytes' }
}

function shared({ cors, baseUrl }: SiteFacts): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    ...(baseUrl?.startsWith('https:') ? { 'strict-transport-security': `max-age=${YEAR}` } : {}),
    ...(cors ? CORS : {}),
  }
}

const CORS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag, Quire-Caller, Quire-Ignored, Quire-Revision, Retry-After, X-Request-Id',
}

/** Default headers joined with an answer's own: of two with the same name, in any letters, its own counts. */
export function joinHeaders(others: Headers, own: Headers): Record<string, string | number> {
  const joined: Record<string, string | number> = { ...others }
  for (const [name, value] of Object.entries(own)) joined[name.toLowerCase()] = value
  return joined
}

type Headers = Readonly<Record<string, string>>

/** The answer to preflight requests, which precede requests of pages of other sites (`cors`). */
export const PREFLIGHT = {
  'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
  'Access-Control-Allow-Headers':
    'Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, Quire-Expect-Caller, Quire-Revision',
  'Access-Control-Max-Age': '86400',
}

type AddressFacts = Pick<Site, 'baseUrl' | 'trustProxy'>

/** Where a request comes from: `same` and `foreign` according to the browser, `unknown` when it does not say. */
type Origin = 'same' | 'foreign' | 'unknown'

/**
 * Decides whether a page of this site sent a request. `Sec-Fetch-Site` decides where it is sent, else `Origin` must
 * name this very site: the base URL's origin, or the host that was asked. Pages cannot set or change either.
 */
export function originOf(headers: IncomingHttpHeaders, site: AddressFacts): Origin {
  const fetchSite = headers['sec-fetch-site']
  if (fetchSite !== undefined) return fetchSite === 'same-origin' || fetchSite === 'none' ? 'same' : 'foreign'
  const { origin } = headers
  if (origin === undefined) return 'unknown'
  return ownOrigins(headers, site).includes(origin.toLowerCase()) ? 'same' : 'foreign'
}

/** True when answers travel encrypted: the base URL says so, or a trusted proxy. */
export function isSecure(headers: IncomingHttpHeaders, { baseUrl, trustProxy }: AddressFacts): boolean {
  if (baseUrl?.startsWith('https:')) return true
  return trustProxy && lastOf(headers['x-forwarded-proto']) === 'https'
}

/** The host that a request was sent to, in lower case, with its port if any: the forwarded one where a proxy is trusted. */
export function sentHost(headers: IncomingHttpHeaders, { trustProxy }: Pick<AddressFacts, 'trustProxy'>): string {
  return (trustProxy && lastOf(headers['x-forwarded-host'])) || lastOf(headers.host)
}

/**
 * Where a request was sent to, as a URL begins: `https://example.org`. Null for sites that say themselves where they are,
 * and for what is no host.
 */
export function sentOrigin(headers: IncomingHttpHeaders, site: AddressFacts): string | null {
  if (site.baseUrl !== null) return null
  const host = sentHost(headers, site)
  return HOST.test(host) ? `${isSecure(headers, site) ? 'https' : 'http'}://${host}` : null
}

/** The headers of a proxy that answers depend on: for locales with hosts, and on a site that has no base URL. */
export function forwardedVary({ locales, baseUrl, trustProxy }: AddressFacts & Pick<Site, 'locales'>): string[] {
  const hasHosts = [...locales.values()].some(({ hostname }) => Boolean(hostname))
  const dependsOnHost = trustProxy && (hasHosts || baseUrl === null)
  return [
    ...(dependsOnHost ? ['X-Forwarded-Host'] : []),
    ...(trustProxy && baseUrl === null ? ['X-Forwarded-Proto'] : []),
  ]
}

/** A name or an address, with its port if any. */
const HOST = /^(?:[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/

function ownOrigins(headers: IncomingHttpHeaders, site: AddressFacts): string[] {
  const host = sentHost(headers, site)
  const base = site.baseUrl === null ? [] : [new URL(site.baseUrl).origin]
  if (host === '') return base
  // A proxy that is not configured may encrypt: that is unknown here, so the cookie is not `Secure` either.
  const schemes = isSecure(headers, site) ? ['https'] : ['http', 'https']
  return [...base, ...schemes.map((scheme) => `${scheme}://${host}`)]
}

/** The last entry of a list that proxies append to. */
function lastOf(header: string | readonly string[] | undefined): string {
  const entries = String(header ?? '').split(',')
  return (entries.at(-1) ?? '').trim().toLowerCase()
}

const A_YEAR = 'public, max-age=31536000, immutable'
/** All may store the answer, and ask each time whether it has changed. */
export const PUBLIC_REVALIDATED = 'public, no-cache'

/**
 * Makes the caching header of an answer whose address names a version: for a year only where the version that was asked
 * for is the one that is answered (§0.7). Else a cache would keep for a year, under an address, what is not there.
 */
export function keptForAYear(isAskedVersion: boolean, aYear = A_YEAR): { readonly 'Cache-Control': string } {
  return { 'Cache-Control': isAskedVersion ? aYear : PUBLIC_REVALIDATED }
}

/** How long browsers keep the cookies: the longest they allow. The service itself says when a session is over. */
const MAX_AGE = 400 * 24 * 60 * 60

type CookieFacts = Pick<Site, 'name' | 'prefix'>

/** A cookie that an answer sets. */
export interface Cookie {
  readonly name: string
  readonly value: string
  readonly options: {
    readonly path: string
    /** Seconds; 0 removes the cookie. */
    readonly maxAge: number
    readonly httpOnly?: boolean
    readonly secure?: boolean
  }
}

/** The cookies of a request, by name. */
export function sentCookies({ cookie }: IncomingHttpHeaders): { readonly [name: string]: string | undefined } {
  return cookie === undefined ? {} : parseCookie(cookie)
}

/** The text of a `Set-Cookie` header. Other sites' requests do not bring the cookie, except where a link leads here. */
export function setCookie({ name, value, options }: Cookie): string {
  return stringifySetCookie({ name, value, sameSite: 'lax', ...options })
}

/** The session cookie's name, `<site name>.sid`. */
export function sessionCookieName(site: CookieFacts): string {
  return `${stemOf(site)}.sid`
}

/**
 * The cookies of a new session: the session itself, hidden from scripts, and one that says that somebody is signed in.
 */
export function sessionCookies(site: CookieFacts, secret: string, secure: boolean): readonly Cookie[] {
  return bothCookies(site, [secret, 'true'], { path: site.prefix || '/', maxAge: MAX_AGE, secure })
}

/** The name of the cookie of a device, `<site name>.device`. */
export function deviceCookieName(site: CookieFacts): string {
  return `${stemOf(site)}.device`
}

/** The cookie by which a device is known where its user has signed in before (§5.6); it stays when the session ends. */
export function deviceCookie(site: CookieFacts, value: string, secure: boolean): Cookie {
  const options = { path: site.prefix || '/', maxAge: MAX_AGE, secure, httpOnly: true }
  return { name: deviceCookieName(site), value, options }
}

/** Cookies that remove those of a session. */
export function clearedCookies(site: CookieFacts): readonly Cookie[] {
  return bothCookies(site, ['', ''], { path: site.prefix || '/', maxAge: 0 })
}

function bothCookies(
  site: CookieFacts,
  [secret, isSignedIn]: readonly [string, string],
  options: Cookie['options'],
): readonly Cookie[] {
  return [
    { name: sessionCookieName(site), value: secret, options: { ...options, httpOnly: true } },
    { name: `${stemOf(site)}.loggedIn`, value: isSignedIn, options },
  ]
}

/** Names of cookies allow few characters. */
function stemOf({ name }: CookieFacts): string {
  const stem = normalized(name, 'NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
  return stem.replace(/^-|-$/g, '') || 'quire'
}
