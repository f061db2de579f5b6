import type { IncomingHttpHeaders } from 'node:http'
import { notFound } from '../base/errors.ts'
import { isObject } from '../base/json.ts'
import type { Actor, Context } from '../engine/context.ts'
import type { Credential } from '../engine/credential.ts'
import type { Site } from '../model/types.ts'
import { addressOf, hostLocales } from './address.ts'
import { type Answer, answerOf, jsonAnswer, type Keeping, unlessKnown } from './answer.ts'
import { type Body, checkBodyType } from './body.ts'
import { AnswerCache, cacheKey, roleClass } from './cache.ts'
import { credentialOf, withoutKeys } from './credentials.ts'
import { mergeQueries, parseQuery, queryFromJson } from './query.ts'
import type { QueryValues, Route, RouteRequest } from './route.ts'
import { type Match, Router } from './router.ts'
import { type Wanted, wantedOf } from './wanted.ts'

/** What is known about a connection when a credential is checked. */
export interface RequestFacts {
  /** The connection's own address, or the forwarded one where the site trusts its proxy (decisions 1). */
  readonly address: string
  readonly method: string
  readonly headers: IncomingHttpHeaders
}

/** What answering needs; the roof gives it. */
export interface ExchangeOptions {
  readonly site: Pick<Site, 'prefix' | 'locales' | 'defaultLocale' | 'trustProxy'>
  readonly routes: readonly Route[]
  readonly store: { revision(): string | null }
  /** Who bears a credential; throws `unauthorized` for a wrong one. Callers without any are anonymous. */
  authenticate(credential: Credential, facts: RequestFacts): Promise<Actor>
  context(actor: Actor, wanted: Wanted): Context
  /** Bytes of answers kept in memory; 64 MB when left out, 0 keeps none. */
  readonly cacheBytes?: number
}

/** A request before its body is read. */
export interface Arrival extends RequestFacts {
  /** The request's target as it was sent. */
  readonly url: string
  readonly hasBody: boolean
  /** The header, all of them in one text when it was sent more than once: then it is refused. */
  readonly authorization: string | undefined
}

/** A request that found its route and whose caller is known. Its body comes next. */
export interface Visit {
  readonly arrival: Arrival
  readonly actor: Actor
  readonly query: QueryValues
  readonly match: Match | null
  /** For POST: the GET route of the same path, for `__aposGetWithQuery` (§4.3). */
  readonly get: Match | null
  readonly pathLocale: string | null
}

const ANONYMOUS: Actor = { kind: 'anonymous' }

/** Answers requests, whatever brings them: finds the route and the caller, runs the route, keeps what may be kept. */
export class Exchange {
  readonly #options: ExchangeOptions
  readonly #router: Router
  readonly #cache: AnswerCache
  readonly #hostLocale: (headers: IncomingHttpHeaders) => string | null

  constructor(options: ExchangeOptions) {
    this.#options = options
    this.#router = new Router(options.routes)
    this.#cache = new AnswerCache(() => options.store.revision(), options.cacheBytes ?? 64 * 1024 * 1024)
    this.#hostLocale = hostLocales(options.site)
  }

  /**
   * The kept answer for a stranger's GET or HEAD, or undefined. Asks nothing but the headers: a URL that carries a key
   * is never kept under a stranger's name, however the key was spelled.
   */
  kept(method: string | undefined, url: string | undefined, headers: IncomingHttpHeaders) {
    if ((method !== 'GET' && method !== 'HEAD') || url === undefined) return undefined
    if (headers.authorization !== undefined || headers.cookie !== undefined) return undefined
    return this.#cache.get(cacheKey('anonymous', this.#hostLocale(headers), url))
  }

  /** Before the body: an answer already (OPTIONS), or the visit to go on with. Refuses what can be refused by now. */
  async begin(arrival: Arrival): Promise<Visit | Answer> {
    const { steps, queryText, locale } = addressOf(this.#options.site, arrival.url)
    if (arrival.method === 'OPTIONS') return this.#allowed(steps)
    const match = this.#router.find(arrival.method === 'HEAD' ? 'GET' : arrival.method, steps)
    const get = arrival.method === 'POST' ? this.#router.find('GET', steps) : null
    if (!match && !get) throw notFound('There is nothing at this address, or not for this method.')
    const query = parseQuery(queryText)
    const actor = await this.#actor(query, arrival)
    if (arrival.hasBody) checkBodyType(arrival.headers)
    return { arrival, actor, query, match, get, pathLocale: locale }
  }

  /** With the body: runs the route. */
  async finish(visit: Visit, body: Body): Promise<Answer> {
    const content = visit.get ? body.__aposGetWithQuery : undefined
    if (visit.get && isObject(content)) return this.#asGet(visit, visit.get, content)
    if (!visit.match) throw notFound('There is nothing at this address for POST.')
    const { match, arrival } = visit
    const isRead = match.route.method === 'GET'
    const run = () => this.#run(match, visit, visit.query, isRead ? {} : body)
    if (!isRead) return run()
    const answer = match.route.cached ? await this.#cache.fill(this.#key(visit), run) : await run()
    return visit.actor.kind === 'anonymous' ? unlessKnown(answer, arrival.headers['if-none-match']) : answer
  }

  /** POST-as-GET (§4.3): the body's parameters join the query, and win; a key among them counts. */
  async #asGet(visit: Visit, get: Match, content: { readonly [name: string]: unknown }): Promise<Answer> {
    const query = mergeQueries(visit.query, queryFromJson(content))
    const actor = await this.#actor(query, visit.arrival)
    return this.#run(get, { ...visit, actor }, query, {})
  }

  async #run(match: Match, visit: Visit, query: QueryValues, body: Body): Promise<Answer> {
    const { arrival, actor } = visit
    const { site } = this.#options
    const wanted = wantedOf(site, query, visit.pathLocale ?? this.#hostLocale(arrival.headers), actor)
    const ctx = this.#options.context(actor, wanted)
    const request: RouteRequest = { params: match.params, query, body, ifMatch: arrival.headers['if-match'] ?? null }
    return answerOf(await match.route.handle(ctx, request), keepingOf(match.route, visit))
  }

  async #actor(query: QueryValues, arrival: Arrival): Promise<Actor> {
    const credential = credentialOf(arrival.authorization, query)
    return credential === null ? ANONYMOUS : this.#options.authenticate(credential, arrival)
  }

  #key({ actor, arrival }: Visit): string {
    const url = actor.kind === 'anonymous' ? arrival.url : withoutKeys(arrival.url)
    return cacheKey(roleClass(actor), this.#hostLocale(arrival.headers), url)
  }

  #allowed(steps: readonly string[]): Answer {
    const methods = this.#router.methods(steps)
    if (methods.length === 0) throw notFound('There is nothing at this address.')
    return jsonAnswer(
      200,
      {},
      { Allow: ['OPTIONS', ...(methods.includes('GET') ? ['HEAD'] : []), ...methods].join(', ') },
    )
  }
}

function keepingOf(route: Route, { actor, arrival }: Visit): Keeping {
  const isPublic = actor.kind === 'anonymous' && (arrival.method === 'GET' || arrival.method === 'HEAD')
  return isPublic ? { kind: 'public', maxAge: route.maxAge ?? null } : { kind: 'none' }
}
