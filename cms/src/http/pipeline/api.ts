import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods, RequestPayload } from 'fastify'
import { CmsError, notFound, tooLarge } from '../../base/errors.ts'
import { isObject } from '../../base/json.ts'
import type { Site } from '../../model/declared/types.ts'
import type { Load } from '../load/load.ts'
import type { BodyLimit } from '../load/request-queue.ts'
import { askForBody, authorizationOf, type Timeouts, whenLate } from '../load/sockets.ts'
import {
  BODY_TOO_LARGE,
  type Body,
  checkBodyType,
  checkEncoding,
  isParsed,
  mediaType,
  parseBody,
} from '../requests/body.ts'
import { BytesUpload } from '../requests/bytes-upload.ts'
import {
  type AllowedMethods,
  type Endpoint,
  type EndpointsAtPath,
  endpointOf,
  endpointsByPath,
  isPage,
} from '../requests/endpoints.ts'
import { sentCookies } from '../requests/headers.ts'
import { MultipartUpload } from '../requests/multipart-upload.ts'
import { mergeQueries, parseQuery, queryFromJson, queryText } from '../requests/query-string.ts'
import { type QueryValues, type Route, type Upload, writes } from '../requests/route.ts'
import type { Answer } from './answer.ts'
import { Answering, type AnsweringOptions } from './answering.ts'
import { FreshnessChecks } from './cache.ts'
import { assertExpected, type Caller, type CallerOptions, Callers, namingCaller } from './callers.ts'
import { compressionFor, forSession } from './compression.ts'
import { type RequestMetrics, workingOn } from './request-watch.ts'
import type { Responder } from './respond.ts'

/** The parts of the API; the composition root provides them. */
export interface ApiOptions extends CallerOptions, AnsweringOptions {
  readonly site: CallerOptions['site'] & AnsweringOptions['site'] & Pick<Site, 'limits' | 'anonymousBodyLimit' | 'cors'>
  readonly routes: readonly Route[]
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | undefined
    /** When work on it began; undefined for answers from the cache. */
    startedAt: number | undefined
    /** Whether cached answers and credentials were current when it came. */
    isCaughtUp: boolean
  }
  interface FastifyContextConfig {
    readonly endpoints?: EndpointsAtPath
  }
}

interface ApiTypes {
  readonly Params: { readonly [name: string]: string }
  readonly Querystring: QueryValues
  readonly Body: Body | undefined
}
type ApiRequest = FastifyRequest<ApiTypes>

/** The parts that the whole server shares. */
export interface ServerParts {
  readonly requests: RequestMetrics
  readonly responder: Responder
  readonly methods: AllowedMethods
  readonly load: Load
  readonly timeouts: Timeouts
}

const NO_UPLOAD: Upload = {
  file: async () => {
    throw new Error('A route that does not declare `upload` asked for a file.')
  },
}

/** Registers the routes of the interface with the framework, and the hooks that requests pass on their way to them. */
export class Api {
  readonly #options: ApiOptions
  readonly #server: ServerParts
  readonly #answering: Answering
  readonly #callers: Callers

  constructor(options: ApiOptions, server: ServerParts) {
    this.#options = options
    this.#server = server
    this.#answering = new Answering(options, server.load)
    this.#callers = new Callers(options)
  }

  /** The way of a request: the answer cache, its caller, its body, its route. */
  async register(scope: FastifyInstance): Promise<void> {
    const checks = new FreshnessChecks(() => this.#options.store.isCaughtUp())
    scope.addHook('onRequest', (request, reply, done) => {
      checks.next((isCaughtUp) => {
        request.isCaughtUp = isCaughtUp
        const cached = isCaughtUp ? this.#cached(request) : undefined
        if (cached === undefined) done()
        else this.#server.responder.send(reply, cached)
      }, done)
    })
    scope.addHook<ApiTypes>('onRequest', (request) => workingOn(request, () => this.#identify(request)))
    scope.addHook<ApiTypes>('preParsing', async (request, reply, body) => this.#read(request, reply, body))
    addParsers(scope)
    for (const [path, endpoints] of endpointsByPath(this.#options.routes)) this.#addPath(scope, path, endpoints)
  }

  #addPath(scope: FastifyInstance, path: string, endpoints: EndpointsAtPath): void {
    const page = endpoints.GET?.route?.page === undefined ? null : endpoints.GET.route
    const url = scope.prefix + path
    // `as`: endpoints have methods of HTTP.
    const isTheSites = (method: string) => page !== null && scope.hasRoute({ method: method as HTTPMethods, url })
    if (isTheSites('GET')) return
    const yields = (method: string) =>
      endpoints[method]?.route?.yields === true && scope.hasRoute({ method: method as HTTPMethods, url })
    const methods = Object.keys(endpoints).filter((method) => !isTheSites(method) && !yields(method))
    if (methods.length === 0) return
    scope.route<ApiTypes>({
      method: methods,
      exposeHeadRoute: false,
      url: path,
      config: { endpoints },
      handler: async (request, reply) => {
        const answer = await workingOn(request, () => this.#answer(request, reply))
        return this.#server.responder.send(
          reply,
          request.caller === undefined ? answer : forCaller(answer, request.caller),
        )
      },
      ...(page !== null && { errorHandler: this.#pageFailure(page) }),
    })
  }

  /**
   * The cached answer to a GET or HEAD. Reads the headers only, and so serves anonymous callers and those whose key or
   * token is cached. A URL with a key in it, in whatever spelling, is never cached as it was sent.
   */
  #cached({ method, headers, originalUrl: url, raw }: FastifyRequest): Answer | undefined {
    if ((method !== 'GET' && method !== 'HEAD') || headers['quire-expect-caller'] !== undefined) return undefined
    const actor = this.#callers.atOnce(headers, authorizationOf(raw))
    if (actor === null) return undefined
    const cached = this.#answering.cached(actor, { url, headers, compression: compressionFor(false, headers) })
    return cached && namingCaller(cached, actor)
  }

  /** The hits and misses of the cache of answers. */
  get lookups(): Answering['lookups'] {
    return this.#answering.lookups
  }

  async #identify(request: ApiRequest): Promise<void> {
    request.startedAt = performance.now()
    const endpoint = endpointOf(request)
    if (Object.entries(request.params).some(([name, value]) => name !== '*' && value === '')) throw notFound()
    request.query = parseQuery(queryText(request.originalUrl))
    // From here on, cached callers and answers are current. Health checks never wait for that.
    if (!request.isCaughtUp && !endpoint?.route?.isUrgent) await this.#options.store.catchUp()
    request.caller = await this.#callerOf(request, request.query)
    assertExpected(request.headers, request.caller.actor)
    if (endpoint === undefined && request.method !== 'OPTIONS')
      throw this.#server.methods.refusal(request.url, request.caller.actor)
  }

  /** Answers failures as pages. */
  #pageFailure(route: Route) {
    return async (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
      const { caller, originalUrl: url, headers } = request
      // `as`: the hooks have parsed it, unless it is what failed.
      const query = (request.query ?? {}) as QueryValues
      return this.#server.responder.failAsPage(reply, error, caller?.cookies, (failure) =>
        workingOn(request, () => this.#answering.fail(route, failure, { caller, url, headers, query })),
      )
    }
  }

  #callerOf(request: ApiRequest, query: QueryValues): Promise<Caller> {
    const { ip: address, method, headers, raw } = request
    const cookies = sentCookies(headers)
    const endpoint = endpointOf(request)
    const showsPreviews = endpoint !== undefined && isPage(endpoint)
    const isWrite = !endpoint?.route || writes(endpoint.route)
    const authorization = authorizationOf(raw)
    return this.#callers.identify(
      { address, method, headers, cookies, authorization, showsPreviews, writes: isWrite },
      query,
    )
  }

  /** Asks for a body, unless it can be refused without it. */
  #read(request: ApiRequest, reply: FastifyReply, body: RequestPayload): RequestPayload {
    const { headers, raw } = request
    if (headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0') return body
    const endpoint = endpointOf(request)
    const isUpload = endpoint?.route?.upload === true
    const isBytes = endpoint?.route?.takesBytes === true && !isParsed(headers)
    if (isBytes) checkEncoding(headers)
    else checkBodyType(headers, isUpload)
    const limit = this.#limitOf(request, endpoint)
    // A route that takes files reads them itself.
    if (isBytes || (isUpload && mediaType(headers) === 'multipart/form-data')) return body
    if (Number(headers['content-length'] ?? 0) > limit.maxBytes) throw limit.refusal()
    askForBody(raw, reply.raw)
    whenLate(raw, this.#server.timeouts.request, (error) => this.#server.responder.refuse(error, raw.socket))
    return this.#server.load.body(body, reply.raw, limit)
  }

  /**
   * Returns how much of a body is read (§0.5). Throws the refusal of the caller, unless the request may be a read by
   * POST: then a little is read to find out.
   */
  #limitOf(request: ApiRequest, endpoint: Endpoint | undefined): BodyLimit {
    const { limits, anonymousBodyLimit } = this.#options.site
    const { caller, method, originalUrl: url, headers, params, query } = request
    const little = Math.min(anonymousBodyLimit, limits.bodyBytes)
    const refusal = () => tooLarge(BODY_TOO_LARGE)
    if (caller === undefined || !endpoint?.route) return { maxBytes: little, refusal }
    try {
      this.#answering.permit({ route: endpoint.route, caller, method, url, headers, params, query })
      const most = caller.actor.kind === 'anonymous' ? little : limits.bodyBytes
      return { maxBytes: Math.min(most, endpoint.route.maxBodyBytes ?? most), refusal }
    } catch (error) {
      if (endpoint.read === null || !(error instanceof CmsError)) throw error
      return { maxBytes: little, refusal: () => error }
    }
  }

  async #answer(request: ApiRequest, reply: FastifyReply): Promise<Answer> {
    const endpoint = endpointOf(request)
    const { caller, method, originalUrl: url, headers, params, query, body = {} } = request
    if (caller === undefined || endpoint === undefined)
      throw new Error('A request came to its route without having passed the hooks.')
    const { route, read } = endpoint
    const compression = compressionFor(isSession(caller), headers)
    const call = { caller, method, url, headers, params, query, body, upload: NO_UPLOAD, compression }
    if (read !== null && isObject(body.__aposGetWithQuery)) {
      // POST-as-GET (§4.3): the body's parameters join the query, and win; a key among them counts.
      const both = mergeQueries(query, queryFromJson(body.__aposGetWithQuery))
      const sender = await this.#callerOf(request, both)
      request.caller = sender
      assertExpected(headers, sender.actor)
      return this.#answering.answer({ ...call, route: read, caller: sender, query: both, body: {} })
    }
    if (route === null) throw this.#server.methods.refusal(request.url, caller.actor)
    if (!route.upload) return this.#answering.answer({ ...call, route })
    const upload = this.#uploadOf(request, reply, route)
    try {
      return await this.#answering.answer({ ...call, route, upload })
    } finally {
      upload.stop()
    }
  }

  #uploadOf({ raw, headers }: ApiRequest, reply: FastifyReply, { takesBytes }: Route): MultipartUpload | BytesUpload {
    const limits = { maxBytes: this.#options.site.limits.uploadBytes, pauseMs: this.#server.timeouts.uploadPause }
    const ask = () => askForBody(raw, reply.raw)
    const isBytes = takesBytes === true && !isParsed(headers) && mediaType(headers) !== 'multipart/form-data'
    return isBytes ? new BytesUpload(raw, limits, ask) : new MultipartUpload(raw, limits, ask)
  }
}

/** Who signs in with a cookie, or did before the session was over. */
function isSession({ sender, cookies }: Caller): boolean {
  return sender.credential?.kind === 'session' || cookies.length > 0
}

/** An answer, perhaps of many callers, as it is sent to this one. */
function forCaller(answer: Answer, caller: Caller): Answer {
  const named = namingCaller(answer, caller.actor)
  return isSession(caller) ? forSession(named) : named
}

function addParsers(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  for (const type of ['application/json', 'application/x-www-form-urlencoded']) {
    scope.addContentTypeParser(type, { parseAs: 'buffer' }, async (request: FastifyRequest, bytes: Buffer) =>
      // A route that takes files says how to send one, whatever else came.
      endpointOf(request)?.route?.upload ? {} : parseBody(bytes, request.headers),
    )
  }
  // Left on the socket: only routes that declare `upload` get this far with it, and they read it themselves.
  scope.addContentTypeParser('multipart/form-data', (_request, _stream, done) => done(null))
  // Of any other type only those that declare `takesBytes` get this far.
  scope.addContentTypeParser('*', (_request, _stream, done) => done(null))
}
