import { z } from 'zod'
import { ConfigurationError, type Report } from '../terms/configuration-error.ts'
import { RECEIVER_URL } from './option-schemas.ts'

/** The kinds of caches in front of a site that can be purged of what has changed (§6.8). */
export const PURGE_KINDS = ['fastly', 'cloudflare', 'varnish', 'http'] as const

/** A kind of cache in front of a site. */
export type PurgeKind = (typeof PURGE_KINDS)[number]

/** The header with tags that Fastly and Varnish read, with spaces between them. */
export const SURROGATE_KEY = 'Surrogate-Key'
/** The header with tags that Cloudflare reads, with commas between them. */
export const CACHE_TAG = 'Cache-Tag'

/** The headers that each kind of cache reads, and does not pass on. */
export const TAG_HEADERS: Readonly<Record<PurgeKind, readonly string[]>> = {
  fastly: [SURROGATE_KEY],
  cloudflare: [CACHE_TAG],
  varnish: [SURROGATE_KEY],
  http: [SURROGATE_KEY, CACHE_TAG],
}

/** The cache in front of a site, and how it learns what has changed (§6.8). */
export interface SitePurge {
  readonly url: string
  readonly kind: PurgeKind
  /** Sent with each request, as they are: credentials are among them. */
  readonly headers: Readonly<Record<string, string>>
  /** The cache may be in a private network, and needs no https. */
  readonly allowPrivate: boolean
  /** A service that starts purges everything. */
  readonly atStart: boolean
  /** Seconds for which browsers keep what anonymous callers get. */
  readonly maxAge: number
  /** Seconds for which the cache in front keeps it; null: as it decides by itself. */
  readonly sharedMaxAge: number | null
}

const A_YEAR = 31_536_000
const seconds = z.int().min(0).max(A_YEAR)
const HEADER_NAME = z.string().regex(/^[\w!#$%&'*+.^`|~-]{1,100}$/, 'must be the name of a header')
const HEADER_VALUE = z
  .string()
  .min(1)
  .max(4_000)
  .regex(/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/, 'must be a value of a header, without line breaks')

/** The cache in front of a site as declared. */
export const PURGE = z.strictObject({
  url: RECEIVER_URL,
  kind: z.enum(PURGE_KINDS),
  headers: z.record(HEADER_NAME, HEADER_VALUE).default({}),
  allowPrivate: z.boolean().default(false),
  atStart: z.boolean().default(true),
  maxAge: seconds.default(0),
  sharedMaxAge: seconds.optional(),
})

/** Headers that the requests themselves have. */
const OWN = ['connection', 'content-length', 'content-type', 'host', 'surrogate-key', 'transfer-encoding']

/** Checks how the cache in front of a site is purged: encrypted, and with headers of its own. */
export function compilePurge(declared: z.infer<typeof PURGE> | undefined, report: Report): SitePurge | null {
  if (declared === undefined) return null
  const { sharedMaxAge = null, ...purge } = declared
  const { protocol, username, password } = new URL(purge.url)
  if (!purge.allowPrivate && protocol !== 'https:') report('url', 'must begin with https:, unless allowPrivate is true')
  if (username + password !== '') report('url', 'must not have a user name or password: give them in headers')
  for (const name of Object.keys(purge.headers)) {
    if (OWN.includes(name.toLowerCase())) report(`headers.${name}`, 'is set by the request itself')
  }
  return { ...purge, sharedMaxAge }
}

/** The header that a kind of cache reads a credential from. */
function credentialHeader({ kind }: SitePurge): string {
  return kind === 'fastly' ? 'Fastly-Key' : 'Authorization'
}

function hasCredential(purge: SitePurge): boolean {
  const wanted = credentialHeader(purge).toLowerCase()
  return Object.keys(purge.headers).some((name) => name.toLowerCase() === wanted)
}

/** The site with the credential of the environment, unless it declares one of its own. */
export function withPurgeToken<Of extends { readonly purge: SitePurge | null }>(
  site: Of,
  token: string | undefined,
): Of {
  const { purge } = site
  if (purge === null || token === undefined || hasCredential(purge)) return site
  const value = purge.kind === 'fastly' ? token : `Bearer ${token}`
  return { ...site, purge: { ...purge, headers: { ...purge.headers, [credentialHeader(purge)]: value } } }
}

/** Throws `ConfigurationError` where the cache would refuse each purge. */
export function assertPurges({ purge }: { readonly purge: SitePurge | null }): void {
  if (purge === null || purge.kind === 'varnish' || purge.kind === 'http' || hasCredential(purge)) return
  const message = `needs a credential: set QUIRE_PURGE_TOKEN, or headers: { '${credentialHeader(purge)}': … }`
  throw new ConfigurationError([{ path: 'purge', message }])
}
