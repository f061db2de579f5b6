import type { IncomingHttpHeaders } from 'node:http'
import type { CacheMemory } from '../../base/bounded-cache.ts'
import type { Context } from '../../engine/context.ts'
import type { Requested } from '../../engine/contexts.ts'
import { type Actor, ANONYMOUS, isAnonymous, visitor } from '../../engine/permissions.ts'
import type { UnknownName } from '../../engine/values/unknown-name.ts'
import { asRequest } from '../../engine/write.ts'
import type { Site } from '../../model/declared/types.ts'
import type { Store } from '../../store/contract/store.ts'
import type { Load, Work } from '../load/load.ts'
import { type Body, withAiMark } from '../requests/body.ts'
import type { Failure } from '../requests/failure-status.ts'
import { forwardedVary, sentOrigin } from '../requests/headers.ts'
import {
  assertSees,
  hostLocales,
  localeOfId,
  localeOfPath,
  requestedOf,
  withoutHost,
} from '../requests/locale-prefixes.ts'
import { checkQuery, rendersAreas, textParameter } from '../requests/read-parameters.ts'
import { type QueryValues, RENDERED_TYPE, Reply, type Route, type Upload, writes } from '../requests/route.ts'
import { checkNames, ignoredText } from '../requests/unknown-names.ts'
import { type Answer, answerOf, type Caching, orNotModified, withVary } from './answer.ts'
import { AnswerCache, cacheKey, roleClass } from './cache.ts'
import type { Caller } from './callers.ts'
import { type Compression, compressed, uncompressedTags } from './compression.ts'
import { claimsFrontEnd, withoutKeys } from './credentials.ts'
import { isRepeatable, once } from './idempotency.ts'
import { type LanguageRedirect, languageRedirects } from './language.ts'
import { TaggedAnswers, withoutTags } from './tagged-answers.ts'

/** The header of a write's answer that a reader sends back to read what was written (§0.7). */
const REVISION = 'quire-revision'

/** The parts of the service that answering needs; the composition root provides them. */
export interface AnsweringOptions {
  readonly site: Pick<
    Site,
    'locales' | 'defaultLocale' | 'prefix' | 'baseUrl' | 'trustProxy' | 'limits' | 'redirectByLanguage' | 'purge'
  >
  readonly store: Pick<Store, 'changes' | 'revision' | 'isCaughtUp' | 'catchUp' | 'secret'>
  context(actor: Actor, requested: Requested): Context
  /** Where answers are cached. */
  readonly memory: CacheMemory
}

/** A request whose route, caller and body are known. */
interface Call {
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
  readonly compression: Compression | null
}

/** The parts of a request that decide its context. */
interface ContextFacts extends Pick<Call, 'route' | 'url' | 'headers' | 'params' | 'query'> {
  readonly actor: Actor
  readonly sender: Pick<Caller['sender'], 'isFrontend'>
}

/** A request that failed, perhaps before its caller was known. */
interface FailedCall extends Pick<Call, 'url' | 'headers' | 'query'> {
  readonly caller: Caller | undefined
}

/** Runs routes, and caches what may be cached. */
export class Answering {
  readonly #options: AnsweringOptions
  readonly #load: Load
  readonly #cache: AnswerCache
  /** Null without a cache in front of the site. */
  readonly #tagged: TaggedAnswers | null
  readonly #hostLocale: (headers: IncomingHttpHeaders) => string | null
  readonly #languageRedirect: LanguageRedirect | null
  /** The headers of a proxy that answers to all callers depend on. */
  readonly #forwarded: readonly string[]

  constructor(options: AnsweringOptions, load: Load) {
    this.#options = options
    this.#load = load
    this.#cache = new AnswerCache(() => options.store.changes(), options.memory)
    const { purge } = options.site
    this.#tagged = purge && new TaggedAnswers(purge, options.store)
    this.#hostLocale = hostLocales(options.site)
    this.#languageRedirect = languageRedirects(options.site)
    this.#forwarded = forwardedVary(options.site)
  }

  /** The hits and misses of the cache of answers. */
  get lookups(): AnswerCache['lookups'] {
    return this.#cache.lookups
  }

  /** The cached answer to a GET or HEAD of this caller, or undefined. The store must be caught up. */
  cached(
    actor: Actor,
    { url, headers, compression }: Pick<Call, 'url' | 'headers' | 'compression'>,
  ): Answer | undefined {
    if (headers[REVISION] !== undefined) return undefined
    const callers = isStaticBuild(headers) ? `${roleClass(actor)}, static` : roleClass(actor)
    const answer = this.#cache.get(cacheKey(callers, this.#addressLocale({ url, headers, actor }), compression, url))
    return answer && orNotModified(answer, headers['if-none-match'])
  }

  /** Runs the route, unless its answer is cached, or the same request was carried out before (`Idempotency-Key`). */
  async answer(call: Call): Promise<Answer> {
    const { route, caller, headers, method, query } = call
    checkQuery(query, this.#options.site.limits.ids)
    const run = () => this.#once(call)
    const isRead = method === 'GET' || method === 'HEAD'
    const revision = headers[REVISION]
    if (revision !== undefined) await this.#options.store.catchUp(String(revision))
    if (!isRead) return withCookies(writes(route) ? this.#withRevision(await run()) : await run(), caller)
    const isForAll = isPublic(route, caller.actor)
    // A page may depend on the very user who is signed in, not only on the role.
    const isShared = route.cached === true && (isForAll || route.page === undefined)
    const tagged = isForAll ? this.#tagged : null
    const make = tagged === null ? run : () => tagged.make(run)
    const answer = isShared ? await this.#cache.fill(this.#key(call), make) : await run()
    return withCookies(orNotModified(answer, headers['if-none-match']), caller)
  }

  /** Carries out a write with an `Idempotency-Key` by a known caller once, and everything else each time. */
  async #once(call: Call): Promise<Answer> {
    const { route, params, query, body, headers, caller, compression } = call
    const key = headers['idempotency-key']
    const ctx = this.#contextOf({ ...call, ...caller })
    // Asked before a body was read, too; but not every request has one.
    route.permit?.(ctx, params)
    if (key === undefined || !isRepeatable(route, caller.actor))
      return this.#run(ctx, call, (answer) => compressed(answer, compression))
    const request = { key: String(key), target: [route.method, route.path, params], body: [query, body] }
    const answer = await once(ctx, request, (ctx) => this.#run(ctx, call, async (answer) => answer))
    return compressed(answer, compression)
  }

  /** Names what was written, for reads by other processes (§0.7). */
  #withRevision(answer: Answer): Answer {
    const revision = this.#options.store.revision()
    return revision === null ? answer : { ...answer, headers: { ...answer.headers, 'Quire-Revision': revision } }
  }

  /** Throws when the caller can never use this route, whatever the body says. */
  permit(call: Omit<Call, 'body' | 'upload' | 'compression'>): void {
    const { route, params } = call
    route.permit?.(this.#contextOf({ ...call, ...call.caller }), params)
  }

  /** The page that answers a failed request for a page. */
  async fail(route: Route, failure: Failure, { caller, url, headers, query }: FailedCall): Promise<Answer> {
    const actor = caller?.actor ?? ANONYMOUS
    const isFrontend = caller?.sender.isFrontend ?? claimsFrontEnd(headers)
    const request = { url: withoutKeys(withoutHost(url)), headers, isFrontend }
    const ctx = this.#contextOrDefault({ route, actor, sender: { isFrontend }, url, headers, params: {}, query })
    const reply = await route.page?.fail(ctx, failure, request)
    return answerOf(new Reply(reply?.body, { ...failure.headers, ...reply?.headers }, failure.status), { kind: 'none' })
  }

  /** The query itself may be the reason of the failure: then the context of the default locale. */
  #contextOrDefault(facts: ContextFacts): Context {
    const { site, context } = this.#options
    const { actor } = facts
    try {
      return this.#contextOf(facts)
    } catch {
      assertSees({ site, actor: visitor(actor) }, site.defaultLocale)
      return context(actor, requestedOf(site, {}, null, actor))
    }
  }

  /** The answer counts as running work until it is `finish`ed. */
  async #run(ctx: Context, call: Call, finish: (answer: Answer) => Promise<Answer>): Promise<Answer> {
    const { route, caller, method, headers, params, query, body, upload } = call
    const { actor, sender } = caller
    const ifMatch = headers['if-match'] === undefined ? null : uncompressedTags(headers['if-match'])
    const isHead = method === 'HEAD'
    const url = withoutKeys(withoutHost(call.url))
    const request = { url, params, query, body, ifMatch, headers, isHead, upload, sender }
    const caching = cachingOf(route, method, actor)
    const ignored = hasNames(query) || hasNames(body) ? checkNames(ctx, route, request) : []
    const work = async () => {
      const handle = async () => route.handle(route.method === 'GET' ? ctx : withAiMark(ctx, body), request)
      const reply = await (writes(route) ? asRequest(handle) : handle())
      const made = withVary(answerOf(reply, caching, jsonTypeOf(call)), this.#forwarded)
      const answer = withIgnored(made, ignored, actor)
      return finish(ctx.caching.isAllowed() ? answer : { ...answer, isPersonal: true })
    }
    // An upload may take an hour; how many are processed at a time has a limit of its own.
    if (route.isUrgent || route.upload) return work()
    return this.#load.run(workOf(call), work)
  }

  #contextOf({ route, actor, sender, url, headers, params, query }: ContextFacts): Context {
    const { site } = this.#options
    // A visitor who is redirected to another locale need not see the one at `/`.
    const led = route.page && this.#languageRedirect?.(url, headers, actor)?.locale
    const byAddress = led ?? localeOfPath(site, { url, headers }) ?? this.#hostLocale(headers)
    const requested = requestedOf(site, query, localeOfId(site, params) ?? byAddress, actor)
    // The front end asks for pages on behalf of anonymous visitors, who must not see private locales.
    const isOpen = route.ignoresLocale || route.knowsAllLocales
    if (!isOpen) assertSees({ site, actor: route.page ? visitor(actor) : actor }, requested.locale)
    const by = {
      isExternalFront: sender.isFrontend,
      isStaticBuild: isStaticBuild(headers),
      origin: sentOrigin(headers, site),
    }
    return this.#options.context(actor, { ...requested, ...by })
  }

  #key({ route, query, caller: { actor, sender }, url, headers, compression }: Call): string {
    const kinds = [
      roleClass(actor),
      ...(sender.isFrontend ? ['front end'] : []),
      ...(isStaticBuild(headers) ? ['static'] : []),
    ]
    const callers = kinds.join(', ')
    const path = route.ignoresQuery ? pathAndContext(url, query) : actor.kind === 'anonymous' ? url : withoutKeys(url)
    return cacheKey(callers, this.#addressLocale({ url, headers, actor }), compression, path)
  }

  /**
   * Returns the part of a cache key for the locale of the host name and of the visitor's language, and for the absolute
   * URLs of sites without a base URL.
   */
  #addressLocale({ url, headers, actor }: Pick<ContextFacts, 'url' | 'headers' | 'actor'>): string {
    const redirect = this.#languageRedirect?.(url, headers, actor)
    const origin = sentOrigin(headers, this.#options.site) ?? ''
    return `${this.#hostLocale(headers) ?? ''} ${origin}${redirect ? ` to ${redirect.locale}` : ''}`
  }
}

/**
 * The key of a URL whose query changes nothing but locale and mode: what they cannot be is refused, and never cached.
 * The spaces keep it apart from URLs as sent.
 */
function pathAndContext(url: string, query: QueryValues): string {
  const [path = ''] = url.split('?', 1)
  return `${path} ${textParameter(query, 'aposLocale') ?? ''} ${textParameter(query, 'aposMode') ?? 'published'}`
}

/** True when the answer is the same for all anonymous callers; for pages, also for the front end. */
function isPublic({ page }: Route, actor: Actor): boolean {
  return actor.kind === 'anonymous' || (page !== undefined && actor.kind === 'frontend')
}

/** True for the requests of static builds, with or without the front end's key (§4.6). */
function isStaticBuild(headers: IncomingHttpHeaders): boolean {
  return headers['x-apos-static-base-url'] === '1'
}

function workOf({ route, params, query }: Call): Work {
  const { lock, isLong, isSignIn } = route
  if (isSignIn) return { kind: 'signIns', lock: null }
  if (!writes(route)) return { kind: isLong?.(query) ? 'longReads' : 'reads', lock: null }
  const [docId] = (params._id ?? '').split(':')
  return { kind: 'writes', lock: lock ?? (docId || null) }
}

function cachingOf(route: Route, method: string, actor: Actor): Caching {
  if (method !== 'GET' && method !== 'HEAD') return { kind: 'none' }
  if (isPublic(route, actor)) return { kind: 'public', maxAge: route.maxAge ?? null }
  return { kind: route.isRevalidated ? 'private' : 'none' }
}

/** The media type of an answer that is JSON; undefined for the usual one. */
function jsonTypeOf({ route, query }: Call): string | undefined {
  return route.rendered && rendersAreas(query) ? RENDERED_TYPE.replace(';', '; charset=utf-8;') : undefined
}

function hasNames(values: object): boolean {
  return Object.keys(values).length > 0
}

/** Lists to known callers the names that nothing reads (§0.4): answers to others are cached, and the same for all of them. */
function withIgnored(answer: Answer, ignored: readonly UnknownName[], actor: Actor): Answer {
  if (ignored.length === 0 || isAnonymous(actor)) return answer
  return { ...answer, headers: { ...answer.headers, 'Quire-Ignored': ignoredText(ignored) } }
}

/** Cookies are for one caller, so an answer that sets one is not cached. */
function withCookies(answer: Answer, { cookies }: Caller): Answer {
  if (cookies.length === 0) return answer
  return { ...answer, headers: { ...withoutTags(answer.headers), 'Cache-Control': 'no-store' }, cookies }
}
