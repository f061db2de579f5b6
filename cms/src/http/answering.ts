import type { IncomingHttpHeaders } from 'node:http'
import type { Context } from '../engine/context.ts'
import type { Actor } from '../engine/permissions.ts'
import type { Site } from '../model/types.ts'
import type { Store } from '../store/store.ts'
import { type Answer, answerOf, type Caching, orNotModified } from './answer.ts'
import type { Body } from './body.ts'
import { AnswerCache, cacheKey, roleClass } from './cache.ts'
import type { Caller } from './callers.ts'
import { compressed, type Encoding, uncompressedTags } from './compression.ts'
import { withoutKeys } from './credentials.ts'
import { isRepeatable, once } from './idempotency.ts'
import type { Load, Work } from './load.ts'
import { hostLocales, localeOfPath, type Requested, requestedOf } from './locales.ts'
import { checkQuery } from './query-limits.ts'
import type { QueryValues, Route, Upload } from './route.ts'

/** The header of a write's answer that a reader sends back to read what was written (§0.7). */
const REVISION = 'quire-revision'

/** What answering needs; the composition root gives it. */
export interface AnsweringOptions {
  readonly site: Pick<Site, 'locales' | 'defaultLocale' | 'prefix' | 'trustProxy' | 'limits'>
  readonly store: Pick<Store, 'revision' | 'isCaughtUp' | 'catchUp'>
  context(actor: Actor, requested: Requested): Context
  /** Bytes of answers cached in memory; 64 MB when left out, 0 caches none. */
  readonly cacheBytes?: number
}

/** A request whose route, caller and body are known. */
export interface Call {
  readonly route: Route
  readonly caller: Caller
  readonly method: string
  /** As it was sent. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly params: { readonly [name: string]: string }
  readonly query: QueryValues
  readonly body: Body
  readonly upload: Upload
  /** How the answer may be compressed; null where it must not be. */
  readonly encoding: Encoding | null
}

/** Runs routes, and caches what may be cached. */
export class Answering {
  readonly #options: AnsweringOptions
  readonly #load: Load
  readonly #cache: AnswerCache
  readonly #hostLocale: (headers: IncomingHttpHeaders) => string | null

  constructor(options: AnsweringOptions, load: Load) {
    this.#options = options
    this.#load = load
    this.#cache = new AnswerCache(() => options.store.revision(), options.cacheBytes ?? 64 * 1024 * 1024)
    this.#hostLocale = hostLocales(options.site)
  }

  /** The cached answer to a GET or HEAD of this caller, or undefined. */
  cached(actor: Actor, { url, headers, encoding }: Pick<Call, 'url' | 'headers' | 'encoding'>): Answer | undefined {
    if (headers[REVISION] !== undefined || !this.#options.store.isCaughtUp()) return undefined
    const answer = this.#cache.get(cacheKey(roleClass(actor), this.#hostLocale(headers), encoding, url))
    if (answer === undefined || actor.kind !== 'anonymous') return answer
    return orNotModified(answer, headers['if-none-match'])
  }

  /** Runs the route, unless the cache has what it answers, or the same request was answered before. */
  async answer(call: Call): Promise<Answer> {
    const { route, caller, headers, method } = call
    const run = () => this.#once(call)
    const isRead = method === 'GET' || method === 'HEAD'
    const revision = headers[REVISION]
    if (revision !== undefined) await this.#options.store.catchUp(String(revision))
    const answer = isRead && route.cached ? await this.#cache.fill(this.#key(call), run) : await run()
    const isAnonymousRead = isRead && caller.actor.kind === 'anonymous'
    if (!isRead) return withCookies(this.#withRevision(answer), caller)
    return withCookies(isAnonymousRead ? orNotModified(answer, headers['if-none-match']) : answer, caller)
  }

  /** Carries out a write with an `Idempotency-Key` by a known caller once, and everything else each time. */
  async #once(call: Call): Promise<Answer> {
    const { route, params, query, body, headers, caller, encoding } = call
    const key = headers['idempotency-key']
    const ctx = this.#contextOf(call)
    if (key === undefined || !isRepeatable(route, caller.actor))
      return this.#run(ctx, call, (answer) => compressed(answer, encoding))
    route.permit?.(ctx, params)
    const request = { key: String(key), target: [route.method, route.path, params], body: [query, body] }
    const answer = await once(ctx, request, (ctx) => this.#run(ctx, call, async (answer) => answer))
    return compressed(answer, encoding)
  }

  /** Names what was written, for reads by other processes (§0.7). */
  #withRevision(answer: Answer): Answer {
    const revision = this.#options.store.revision()
    return revision === null ? answer : { ...answer, headers: { ...answer.headers, 'Quire-Revision': revision } }
  }

  /** Throws when the caller can never use this route, whatever the body says. */
  permit({ route, params, ...call }: Omit<Call, 'body' | 'upload' | 'encoding'>): void {
    route.permit?.(this.#contextOf(call), params)
  }

  /** The answer counts as running work until it is `finish`ed. */
  async #run(ctx: Context, call: Call, finish: (answer: Answer) => Promise<Answer>): Promise<Answer> {
    const { route, caller, method, headers, params, query, body, upload } = call
    const { actor, sender } = caller
    checkQuery(query, this.#options.site.limits.ids)
    const ifMatch = headers['if-match'] === undefined ? null : uncompressedTags(headers['if-match'])
    const request = { params, query, body, ifMatch, headers, isHead: method === 'HEAD', upload, sender }
    const caching = cachingOf(route, method, actor)
    const work = async () => finish(answerOf(await route.handle(ctx, request), caching))
    // A file may take an hour to come; how many are worked on at a time has a limit of its own.
    if (route.isUrgent || route.upload) return work()
    return this.#load.run(workOf(route, params), work)
  }

  #contextOf({ caller: { actor }, url, headers, query }: Pick<Call, 'caller' | 'url' | 'headers' | 'query'>): Context {
    const { site } = this.#options
    const byAddress = localeOfPath(site, { url, headers }) ?? this.#hostLocale(headers)
    return this.#options.context(actor, requestedOf(site, query, byAddress, actor))
  }

  #key({ caller: { actor, sender }, url, headers, encoding }: Call): string {
    const callers = sender.isFrontend ? `${roleClass(actor)}, front end` : roleClass(actor)
    const path = actor.kind === 'anonymous' ? url : withoutKeys(url)
    return cacheKey(callers, this.#hostLocale(headers), encoding, path)
  }
}

function workOf({ method, lock }: Route, params: Call['params']): Work {
  if (method === 'GET') return { kind: 'reads', lock: null }
  const [docId] = (params._id ?? '').split(':')
  return { kind: 'writes', lock: lock ?? (docId || null) }
}

function cachingOf(route: Route, method: string, actor: Actor): Caching {
  const isPublic = actor.kind === 'anonymous' && (method === 'GET' || method === 'HEAD')
  return isPublic ? { kind: 'public', maxAge: route.maxAge ?? null } : { kind: 'none' }
}

/** Cookies are for one caller, so an answer that sets one is not cached. */
function withCookies(answer: Answer, { cookies }: Caller): Answer {
  if (cookies.length === 0) return answer
  return { ...answer, headers: { ...answer.headers, 'Cache-Control': 'no-store' }, cookies }
}
