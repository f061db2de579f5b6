import type { IncomingHttpHeaders } from 'node:http'
import { notFound } from '../base/errors.ts'
import { isObject } from '../base/json.ts'
import type { Actor, Context } from '../engine/context.ts'
import type { Site } from '../model/types.ts'
import { addressOf, hostLocales, hostOf } from './address.ts'
import { type Answer, answerOf, jsonAnswer, type Keeping, unlessKnown } from './answer.ts'
import { type Body, checkBodyType } from './body.ts'
import { AnswerCache, cacheKey, type KeptAnswer, roleClass } from './cache.ts'
import { type Arrival, type Caller, type CallerOptions, Callers } from './callers.ts'
import { withoutKeys } from './credentials.ts'
import { mediaType } from './media-type.ts'
import { mergeQueries, parseQuery, queryFromJson } from './query.ts'
import type { QueryValues, Route, RouteRequest } from './route.ts'
import { type Match, Router } from './router.ts'
import type { Upload } from './upload.ts'
import { type Wanted, wantedOf } from './wanted.ts'

export type { Arrival } from './callers.ts'

/** What answering needs; the roof gives it. */
export interface ExchangeOptions extends CallerOptions {
  readonly site: CallerOptions['site'] & Pick<Site, 'locales' | 'defaultLocale'>
  readonly routes: readonly Route[]
  readonly store: { revision(): string | null }
  context(actor: Actor, wanted: Wanted): Context
  /** Bytes of answers kept in memory; 64 MB when left out, 0 keeps none. */
  readonly cacheBytes?: number
}

/** What the first look at a request sees. */
export interface Knock {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly authorization: string | undefined
}

/** A request that found its route and whose caller is known. Its body comes next. */
export interface Visit {
  readonly arrival: Arrival
  readonly caller: Caller
  readonly query: QueryValues
  readonly match: Match | null
  /** For POST: the GET route of the same path, for `__aposGetWithQuery` (§4.3). */
  readonly get: Match | null
  /** The route reads the body itself, as far as it wants it. */
  readonly isUpload: boolean
  readonly pathLocale: string | null
}

const NO_UPLOAD: Upload = {
  file: async () => {
    throw new Error('A route that does not declare `upload` asked for a file.')
  },
}

/** Answers requests, whatever brings them: finds the route and the caller, runs the route, keeps what may be kept. */
export class Exchange {
  readonly #options: ExchangeOptions
  readonly #router: Router
  readonly #cache: AnswerCache
  readonly #callers: Callers
  readonly #hostLocale: (headers: IncomingHttpHeaders) => string | null

  constructor(options: ExchangeOptions) {
    this.#options = options
    this.#router = new Router(options.routes)
    this.#cache = new AnswerCache(() => options.store.revision(), options.cacheBytes ?? 64 * 1024 * 1024)
    this.#callers = new Callers(options)
    this.#hostLocale = hostLocales(options.site)
  }

  /**
   * The kept answer for a GET or HEAD, or undefined. Asks nothing but the headers, and so answers strangers and bearers
   * of what was checked a moment ago. A URL that carries a key is never kept as it is sent, however the key is spelled.
   */
  kept({ method, url, headers, authorization }: Knock): { answer: KeptAnswer; isStranger: boolean } | undefined {
    if ((method !== 'GET' && method !== 'HEAD') || url === undefined) return undefined
    const actor = this.#callers.atOnce(headers, authorization)
    if (actor === null) return undefined
    const answer = this.#cache.get(cacheKey(roleClass(actor), this.#hostLocale(headers), url))
    return answer && { answer, isStranger: actor.kind === 'anonymous' }
  }

  /** Before the body: an answer already (OPTIONS), or the visit to go on with. Refuses what can be refused by now. */
  async begin(arrival: Arrival): Promise<Visit | Answer> {
    const { site } = this.#options
    const { steps, queryText, locale } = addressOf(site, arrival.url, hostOf(site, arrival.headers))
    if (arrival.method === 'OPTIONS') return this.#allowed(steps)
    const match = this.#router.find(arrival.method === 'HEAD' ? 'GET' : arrival.method, steps)
    const get = arrival.method === 'POST' ? this.#router.find('GET', steps) : null
    if (!match && !get) throw notFound('There is nothing at this address, or not for this method.')
    const query = parseQuery(queryText)
    const caller = await this.#callers.identify(arrival, query)
    if (arrival.hasBody) checkBodyType(arrival.headers, match?.route.upload)
    const isUpload = match?.route.upload === true && mediaType(arrival.headers) === 'multipart/form-data'
    return { arrival, caller, query, match, get, isUpload, pathLocale: locale }
  }

  /** With the body, or with the upload in its place: runs the route. */
  async finish(visit: Visit, body: Body, upload: Upload = NO_UPLOAD): Promise<Answer> {
    return withCookies(await this.#answer(visit, body, upload), visit.caller.cookies)
  }

  async #answer(visit: Visit, body: Body, upload: Upload): Promise<Answer> {
    const content = visit.get ? body.__aposGetWithQuery : undefined
    if (visit.get && isObject(content)) return this.#asGet(visit, visit.get, content)
    if (!visit.match) throw notFound('There is nothing at this address for POST.')
    const { match, arrival } = visit
    const isRead = match.route.method === 'GET'
    const run = () => this.#run(match, visit, visit.query, isRead ? {} : body, upload)
    if (!isRead) return run()
    const answer = match.route.cached ? await this.#cache.fill(this.#key(visit), run) : await run()
    return visit.caller.actor.kind === 'anonymous' ? unlessKnown(answer, arrival.headers['if-none-match']) : answer
  }

  /** POST-as-GET (§4.3): the body's parameters join the query, and win; a key among them counts. */
  async #asGet(visit: Visit, get: Match, content: { readonly [name: string]: unknown }): Promise<Answer> {
    const query = mergeQueries(visit.query, queryFromJson(content))
    const caller = await this.#callers.identify(visit.arrival, query)
    return this.#run(get, { ...visit, caller }, query, {}, NO_UPLOAD)
  }

  async #run(match: Match, visit: Visit, query: QueryValues, body: Body, upload: Upload): Promise<Answer> {
    const { arrival, caller } = visit
    const { actor, sender } = caller
    const { site } = this.#options
    const wanted = wantedOf(site, query, visit.pathLocale ?? this.#hostLocale(arrival.headers), actor)
    const ctx = this.#options.context(actor, wanted)
    const { headers, method } = arrival
    const ifMatch = headers['if-match'] ?? null
    const isHead = method === 'HEAD'
    const request: RouteRequest = { params: match.params, query, body, ifMatch, headers, isHead, upload, sender }
    const keeping = keepingOf(match.route, visit)
    return answerOf(await match.route.handle(ctx, request), keeping)
  }

  #key({ caller: { actor, sender }, arrival }: Visit): string {
    const callers = sender.isFrontend ? `${roleClass(actor)}, front end` : roleClass(actor)
    const url = actor.kind === 'anonymous' ? arrival.url : withoutKeys(arrival.url)
    return cacheKey(callers, this.#hostLocale(arrival.headers), url)
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

function keepingOf(route: Route, { caller: { actor }, arrival }: Visit): Keeping {
  const isPublic = actor.kind === 'anonymous' && (arrival.method === 'GET' || arrival.method === 'HEAD')
  return isPublic ? { kind: 'public', maxAge: route.maxAge ?? null } : { kind: 'none' }
}

/** With cookies, which are nobody else's: such an answer is not for keeping. */
function withCookies(answer: Answer, cookies: readonly string[]): Answer {
  if (cookies.length === 0) return answer
  return { ...answer, headers: { ...answer.headers, 'Cache-Control': 'no-store' }, cookies }
}
