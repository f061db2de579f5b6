import type { IncomingHttpHeaders } from 'node:http'
import { CmsError, forbidden } from '../base/errors.ts'
import type { Credential } from '../engine/access/credential.ts'
import type { Actor } from '../engine/permissions.ts'
import type { Site } from '../model/types.ts'
import { clearedCookies, cookieValue, sessionCookieName } from './cookies.ts'
import { credentialOf, headerCredential } from './credentials.ts'
import { isFrontEnd, saysFrontEnd } from './front-key.ts'
import { isSecure, originOf } from './origin.ts'
import type { QueryValues, Sender } from './route.ts'

/** What is known about a connection when a credential is checked. */
export interface RequestFacts {
  /** The connection's own address, or the forwarded one where the site trusts its proxy (decisions 1). */
  readonly address: string
  readonly method: string
  readonly headers: IncomingHttpHeaders
}

/** A request before its body is read. */
export interface Arrival extends RequestFacts {
  /** The request's target as it was sent. */
  readonly url: string
  readonly hasBody: boolean
  /** The header, all of them in one text when it was sent more than once: then it is refused. */
  readonly authorization: string | undefined
}

/** What finding out who calls needs; the roof gives it. */
export interface CallerOptions {
  readonly site: Pick<Site, 'name' | 'prefix' | 'baseUrl' | 'trustProxy'>
  /** Who bears a credential; throws `unauthorized` for a wrong one. Callers without any are anonymous. */
  authenticate(credential: Credential, facts: RequestFacts): Promise<Actor>
  /** Who bears a credential that was checked a moment ago; null when it has to be checked. */
  remembered?(credential: Credential): Actor | null
  /** The key of the external front end; without it there is none. */
  readonly frontKey?: string | undefined
}

/** Who calls, and cookies that the answer must set. */
export interface Caller {
  readonly actor: Actor
  readonly sender: Sender
  readonly cookies: readonly string[]
}

const ANONYMOUS: Actor = { kind: 'anonymous' }
const SAFE = ['GET', 'HEAD', 'OPTIONS']

/** Finds out who sends requests (decisions 1). */
export class Callers {
  readonly #options: CallerOptions
  readonly #cookieName: string

  constructor(options: CallerOptions) {
    this.#options = options
    this.#cookieName = sessionCookieName(options.site)
  }

  /**
   * Who calls, as far as the headers alone show it at once: a stranger, without a credential of any kind, or the bearer
   * of a key or token that is remembered. Null for all others, front ends and sessions among them.
   */
  atOnce(headers: IncomingHttpHeaders, authorization: string | undefined): Actor | null {
    if (saysFrontEnd(headers) || headers.cookie?.includes(`${this.#cookieName}=`)) return null
    if (authorization === undefined) return ANONYMOUS
    const credential = headerCredential(authorization)
    return credential && (this.#options.remembered?.(credential) ?? null)
  }

  /**
   * Who sent a request. A key or token outweighs the cookie, which is then not looked at. A cookie that is worth nothing
   * any more is cleared, and its bearer a stranger; a wrong credential of another kind is `unauthorized`.
   */
  async identify(arrival: Arrival, query: QueryValues): Promise<Caller> {
    const { site, frontKey, authenticate } = this.#options
    const isFrontend = isFrontEnd(arrival.headers, frontKey)
    const nobody: Actor = isFrontend ? { kind: 'frontend' } : ANONYMOUS
    const credential = credentialOf(arrival.authorization, query) ?? this.#session(arrival)
    const actor = credential === null ? nobody : await authenticated(authenticate, credential, arrival)
    const sender: Sender = {
      address: arrival.address,
      credential: actor === null ? null : credential,
      isSecure: isSecure(arrival.headers, site),
      isForeign: originOf(arrival.headers, site) === 'foreign',
      isFrontend,
    }
    if (actor === null) return { actor: nobody, sender, cookies: clearedCookies(site) }
    if (credential?.kind === 'session') this.#assertOwnPage(arrival)
    return { actor, sender, cookies: [] }
  }

  #session({ headers }: Arrival): Credential | null {
    const secret = cookieValue(headers.cookie, this.#cookieName)
    return secret === null ? null : { kind: 'session', secret }
  }

  /** Browsers send cookies along whoever asks them to: a change must come from a page of this site (CSRF). */
  #assertOwnPage({ method, headers }: Arrival): void {
    if (SAFE.includes(method) || originOf(headers, this.#options.site) === 'same') return
    throw forbidden(
      'With a session cookie, changes are only accepted from pages of this site. Programs sign in with a token.',
    )
  }
}

/** Null: a session that is over. */
async function authenticated(
  authenticate: CallerOptions['authenticate'],
  credential: Credential,
  arrival: Arrival,
): Promise<Actor | null> {
  try {
    return await authenticate(credential, arrival)
  } catch (error) {
    if (credential.kind === 'session' && error instanceof CmsError && error.name === 'unauthorized') return null
    throw error
  }
}
