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
  'access-control-expose-headers': 'ETag, Quire-Revision, Retry-After, X-Request-Id',
}

/** The headers of an answer, its own beside others: of two with the same name, in any letters, its own counts. */
export function joinHeaders(others: Headers, own: Headers): Record<string, string | number> {
  const joined: Record<string, string | number> = { ...others }
  for (const [name, value] of Object.entries(own)) joined[name.toLowerCase()] = value
  return joined
}

type Headers = Readonly<Record<string, string>>

/** What browsers ask for before they let a page of another site send a request (`cors`). */
export const PREFLIGHT = {
  'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
  'Access-Control-Allow-Headers':
    'Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, Quire-Revision',
  'Access-Control-Max-Age': '86400',
}
