import type { IncomingHttpHeaders } from 'node:http'
import type { Site } from '../../model/declared/types.ts'

type SiteFacts = Pick<Site, 'baseUrl' | 'trustProxy'>

/** Where a request comes from: `same` and `foreign` according to the browser, `unknown` when it does not say. */
export type Origin = 'same' | 'foreign' | 'unknown'

/**
 * What a browser says about the page that sent a request. `Sec-Fetch-Site` decides where it is sent, else `Origin` must
 * name this very site: the base URL's origin, or the host that was asked. Pages cannot set or change either.
 */
export function originOf(headers: IncomingHttpHeaders, site: SiteFacts): Origin {
  const fetchSite = headers['sec-fetch-site']
  if (fetchSite !== undefined) return fetchSite === 'same-origin' || fetchSite === 'none' ? 'same' : 'foreign'
  const { origin } = headers
  if (origin === undefined) return 'unknown'
  return ownOrigins(headers, site).includes(origin.toLowerCase()) ? 'same' : 'foreign'
}

/** True when answers travel encrypted: the base URL says so, or a trusted proxy. */
export function isSecure(headers: IncomingHttpHeaders, { baseUrl, trustProxy }: SiteFacts): boolean {
  if (baseUrl?.startsWith('https:')) return true
  return trustProxy && lastOf(headers['x-forwarded-proto']) === 'https'
}

/** The host that a request was sent to, in lower case, with its port if any: the forwarded one where a proxy is trusted. */
export function sentHost(headers: IncomingHttpHeaders, { trustProxy }: Pick<SiteFacts, 'trustProxy'>): string {
  return (trustProxy && lastOf(headers['x-forwarded-host'])) || lastOf(headers.host)
}

function ownOrigins(headers: IncomingHttpHeaders, site: SiteFacts): string[] {
  const host = sentHost(headers, site)
  const base = site.baseUrl === null ? [] : [new URL(site.baseUrl).origin]
  if (host === '') return base
  // A proxy that is not configured may encrypt: that is unknown here, so the cookie is not `Secure` either.
  const schemes = isSecure(headers, site) ? ['https'] : ['http', 'https']
  return [...base, ...schemes.map((scheme) => `${scheme}://${host}`)]
}

/** The last entry of a list that proxies append to. */
function lastOf(header: string | readonly string[] | undefined): string {
  return (
    String(header ?? '')
      .split(',')
      .at(-1) ?? ''
  )
    .trim()
    .toLowerCase()
}
