import type { IncomingHttpHeaders } from 'node:http'
import { CmsError, forbidden, unauthorized } from '../../base/errors.ts'
import type { Credential } from '../../engine/access/secrets.ts'
import { type Actor, ANONYMOUS } from '../../engine/permissions.ts'
import type { Site } from '../../model/declared/types.ts'
import { type Cookie, clearedCookies, isSecure, originOf, sessionCookieName } from '../requests/headers.ts'
import type { QueryValues, Sender } from '../requests/route.ts'
import type { Answer } from './answer.ts'
import { claimsFrontEnd, credentialOf, headerCredential, isFrontEnd, previewCredential } from './credentials.ts'

/** Facts about a request for checking a credential. */
interface RequestFacts {
  /** The connection's own address, or the forwarded one where the site trusts its proxy (§5.4). */
  readonly address: string
  readonly method: string
  readonly headers: IncomingHttpHeaders
}

/** The parts of a request that identify its caller. */
interface IncomingRequest extends RequestFacts {
  readonly cookies: { readonly [name: string]: string | undefined }
  /** The token of a preview counts (§4.2b). */
  readonly showsPreviews: boolean
  /** The route can change what is stored. */
  readonly writes: boolean
  /** The header; several are joined into one text, which is then refused. */
  readonly authorization: string | undefined
}

/** The options of identifying callers. */
export interface CallerOptions {
  readonly site: Pick<Site, 'name' | 'prefix' | 'baseUrl' | 'trustProxy'>
  /** The actor of a credential; throws `unauthorized` for a wrong one. Callers without any are anonymous. */
  authenticate(credential: Credential, facts: RequestFacts): Promise<Actor>
  /** The actor of a credential that was checked a moment ago; null when it has to be checked. */
  cached?(credential: Credential): Actor | null
  /** The key of the external front end; without it there is none. */
  readonly frontKey?: string | undefined
}

/** A caller, and cookies that the answer must set. */
export interface Caller {
  readonly actor: Actor
  readonly sender: Sender
  readonly cookies: readonly Cookie[]
}

const SAFE = ['GET', 'HEAD', 'OPTIONS']

/** Identifies the callers of requests (§5.4). */
export class Callers {
  readonly #options: CallerOptions
  readonly #cookieName: string

  constructor(options: CallerOptions) {
    this.#options = options
    this.#cookieName = sessionCookieName(options.site)
  }

  /**
   * Identifies the caller from the headers alone, synchronously: an anonymous caller, without a credential of any kind,
   * or one whose key or token is cached. Null for all others, front ends and sessions among them.
   */
  atOnce(headers: IncomingHttpHeaders, authorization: string | undefined): Actor | null {
    if (claimsFrontEnd(headers) || headers.cookie?.includes(`${this.#cookieName}=`)) return null
    if (authorization === undefined) return ANONYMOUS
    const credential = headerCredential(authorization)
    return credential && (this.#options.cached?.(credential) ?? null)
  }

  /**
   * Identifies the caller of a request. A key or token overrides the cookie. An invalid session cookie is cleared, and
   * its caller is anonymous; a wrong credential of another kind is `unauthorized`. A preview overrides them all:
   * everybody who opens it sees the same.
   */
  async identify(request: IncomingRequest, query: QueryValues): Promise<Caller> {
    const { site, frontKey, authenticate } = this.#options
    const { headers, address } = request
    const isFrontend = isFrontEnd(headers, frontKey)
    const unauthenticated: Actor = isFrontend ? { kind: 'frontend' } : ANONYMOUS
    const preview = request.showsPreviews ? previewCredential(query) : null
    const credential = preview ?? credentialOf(request.authorization, query) ?? this.#session(request)
    const actor = credential === null ? unauthenticated : await authenticated(authenticate, credential, request)
    const sender: Sender = {
      address,
      credential: actor === null ? null : credential,
      isSecure: isSecure(headers, site),
      isForeign: originOf(headers, site) === 'foreign',
      isFrontend,
    }
    if (actor === null) return { actor: unauthenticated, sender, cookies: clearedCookies(site) }
    if (credential?.kind === 'session') this.#assertOwnPage(request)
    return { actor, sender, cookies: [] }
  }

  #session({ cookies }: IncomingRequest): Credential | null {
    const secret = cookies[this.#cookieName]
    return secret ? { kind: 'session', secret } : null
  }

  /**
   * Browsers send cookies with requests from any site, so a change must come from a page of this one (CSRF). Where
   * nothing can be changed, as when a front end draws a widget, it suffices that no other site is named.
   */
  #assertOwnPage({ method, headers, writes }: IncomingRequest): void {
    if (SAFE.includes(method)) return
    const origin = originOf(headers, this.#options.site)
    if (origin === 'same' || (origin === 'unknown' && !writes)) return
    throw forbidden(
      'With a session cookie, changes are only accepted from pages of this site. Programs sign in with a token.',
    )
  }
}

/** Authenticates a credential; null for a session that is over. */
async function authenticated(
  authenticate: CallerOptions['authenticate'],
  credential: Credential,
  request: IncomingRequest,
): Promise<Actor | null> {
  try {
    return await authenticate(credential, request)
  } catch (error) {
    if (credential.kind === 'session' && error instanceof CmsError && error.name === 'unauthorized') return null
    throw error
  }
}

/** The `_id` of a user or key, as `whoami` answers it; null for all other callers. */
function nameOf(actor: Actor): string | null {
  return actor.kind === 'user' || actor.kind === 'key' ? actor.id : null
}

/**
 * Adds the name of a known caller (`Quire-Caller`, §5.4) to an answer, which may be cached for all of the same role. What
 * anybody may store names nobody.
 */
export function namingCaller(answer: Answer, actor: Actor): Answer {
  const name = nameOf(actor)
  if (name === null || answer.headers['Cache-Control']?.startsWith('public')) return answer
  return { ...answer, headers: { ...answer.headers, 'Quire-Caller': name } }
}

/**
 * Throws `unauthorized` for a request that expects another caller (`Quire-Expect-Caller`, §5.4): the session is over, or
 * somebody else has signed in with the same browser.
 */
export function assertExpected(headers: IncomingHttpHeaders, actor: Actor): void {
  const expected = headers['quire-expect-caller']
  const name = nameOf(actor)
  if (expected === undefined || expected === (name ?? ANONYMOUS.kind)) return
  throw unauthorized(
    name === null
      ? 'The caller that this request expects is not signed in, or no longer. Sign in, and send it again.'
      : 'This request expects another caller than the one who sent it. Nothing was done.',
  )
}
