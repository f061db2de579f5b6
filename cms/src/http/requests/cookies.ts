import type { IncomingHttpHeaders } from 'node:http'
import { parseCookie, stringifySetCookie } from 'cookie'
import { normalized } from '../../base/text.ts'
import type { Site } from '../../model/declared/types.ts'

/** How long browsers keep the cookies: the longest they allow. The service itself says when a session is over. */
const MAX_AGE = 400 * 24 * 60 * 60

type SiteFacts = Pick<Site, 'name' | 'prefix'>

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
export function sessionCookieName(site: SiteFacts): string {
  return `${stemOf(site)}.sid`
}

/**
 * The cookies of a new session: the session itself, hidden from scripts, and one that says that somebody is signed in.
 */
export function sessionCookies(site: SiteFacts, secret: string, secure: boolean): readonly Cookie[] {
  return bothCookies(site, [secret, 'true'], { path: site.prefix || '/', maxAge: MAX_AGE, secure })
}

/** The name of the cookie of a device, `<site name>.device`. */
export function deviceCookieName(site: SiteFacts): string {
  return `${stemOf(site)}.device`
}

/** The cookie by which a device is known where its user has signed in before (§5.6); it stays when the session ends. */
export function deviceCookie(site: SiteFacts, value: string, secure: boolean): Cookie {
  const options = { path: site.prefix || '/', maxAge: MAX_AGE, secure, httpOnly: true }
  return { name: deviceCookieName(site), value, options }
}

/** Cookies that remove those of a session. */
export function clearedCookies(site: SiteFacts): readonly Cookie[] {
  return bothCookies(site, ['', ''], { path: site.prefix || '/', maxAge: 0 })
}

function bothCookies(
  site: SiteFacts,
  [secret, isSignedIn]: readonly [string, string],
  options: Cookie['options'],
): readonly Cookie[] {
  return [
    { name: sessionCookieName(site), value: secret, options: { ...options, httpOnly: true } },
    { name: `${stemOf(site)}.loggedIn`, value: isSignedIn, options },
  ]
}

/** Names of cookies allow few characters. */
function stemOf({ name }: SiteFacts): string {
  const stem = normalized(name, 'NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
  return stem.replace(/^-|-$/g, '') || 'quire'
}
