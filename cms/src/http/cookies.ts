import type { Site } from '../model/types.ts'

/** How long browsers keep the cookies: the longest they allow. The service itself says when a session is over. */
const MAX_AGE = 400 * 24 * 60 * 60

type SiteFacts = Pick<Site, 'name' | 'prefix'>

/** The session cookie's name, `<site name>.sid`. */
export function sessionCookieName(site: SiteFacts): string {
  return `${stemOf(site)}.sid`
}

/** The cookies of a new session: the session itself, hidden from scripts, and a mark that somebody is signed in. */
export function sessionCookies(site: SiteFacts, secret: string, isSecure: boolean): readonly string[] {
  const ending = `; Path=${site.prefix || '/'}; Max-Age=${MAX_AGE}; SameSite=Lax${isSecure ? '; Secure' : ''}`
  return [`${sessionCookieName(site)}=${secret}${ending}; HttpOnly`, `${stemOf(site)}.loggedIn=true${ending}`]
}

/** Cookies that take those of a session away. */
export function clearedCookies(site: SiteFacts): readonly string[] {
  const ending = `=; Path=${site.prefix || '/'}; Max-Age=0; SameSite=Lax`
  return [`${sessionCookieName(site)}${ending}; HttpOnly`, `${stemOf(site)}.loggedIn${ending}`]
}

/** The value of a cookie in a `Cookie` header; null when it is not there, or empty. The first one counts. */
export function cookieValue(header: string | undefined, name: string): string | null {
  for (const part of header?.split(';') ?? []) {
    const end = part.indexOf('=')
    if (end > 0 && part.slice(0, end).trim() === name) return part.slice(end + 1).trim() || null
  }
  return null
}

/** Names of cookies hold few signs. */
function stemOf({ name }: SiteFacts): string {
  const stem = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
  return stem.replace(/^-|-$/g, '') || 'quire'
}
