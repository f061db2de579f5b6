import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingMessage, Server } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { CmsError } from '../../base/errors.ts'
import { Histogram, type Metric, type Sample, single } from '../../base/metrics.ts'
import type { RequestSpan, Tracer } from '../../base/spans.ts'
import { currentTracer } from '../../base/tracing.ts'
import type { Load } from '../load/load.ts'
import { Overloaded } from '../load/request-queue.ts'

/** Upper bounds of the buckets of durations, in seconds. */
const SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
/** Any other is counted as `OTHER`. */
const METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'])

/** The requests of one method at one route. */
interface Series {
  readonly method: string
  readonly route: string
  /** By the first digit of their status: those answered from the cache at once, and all others. */
  readonly cached: Float64Array
  readonly made: Float64Array
  /** How long the others took. */
  readonly durations: Histogram
}

/** Counts requests by the pattern of their route: there are as many series as routes, whatever is requested. */
export class RequestMetrics {
  /** By the framework's route, then by method. */
  readonly #series = new Map<object, Map<string, Series>>()
  readonly #prefix: string
  #connections = 0
  #accepted = 0
  #overloaded = 0
  #throttled = 0

  /** For a site with a prefix, which no route is named with. */
  constructor(prefix: string) {
    this.#prefix = prefix
  }

  /** Counts an answer. A tenth of a microsecond, also where it came from the cache. */
  count(request: FastifyRequest, status: number): void {
    const { startedAt } = request
    const { config, url } = request.routeOptions
    let methods = this.#series.get(config)
    if (methods === undefined) {
      methods = new Map()
      this.#series.set(config, methods)
    }
    const name = methodOf(request)
    let series = methods.get(name)
    if (series === undefined) {
      series = newSeries(name, request.is404 ? '' : patternOf(url ?? '', this.#prefix))
      methods.set(name, series)
    }
    const digit = Math.floor(status / 100)
    const counts = isFromCache(request, status) ? series.cached : series.made
    counts[digit] = (counts[digit] ?? 0) + 1
    if (startedAt !== undefined) series.durations.observe((performance.now() - startedAt) / 1000)
  }

  /** Counts requests that were refused because of the load. */
  countFailure(thrown: unknown): void {
    if (thrown instanceof Overloaded) this.#overloaded += 1
    else if (thrown instanceof CmsError && thrown.name === 'toomany') this.#throttled += 1
  }

  /** Counts the connections of a server. */
  watch(server: Server): void {
    server.on('connection', (socket: IncomingMessage['socket']) => {
      this.#accepted += 1
      this.#connections += 1
      socket.once('close', () => {
        this.#connections -= 1
      })
    })
  }

  metrics(load: Load): Metric[] {
    const all = [...this.#series.values()].flatMap((methods) => [...methods.values()])
    const { running, waiting, bodyBytes, unreadBytes } = load.figures()
    const kinds = (counts: Readonly<Record<string, number>>): Sample[] =>
      Object.entries(counts).map(([kind, value]) => ({ labels: { kind }, value }))
    return [
      requests(all),
      {
        name: 'quire_http_request_duration_seconds',
        help: 'Time until the answer was made, of requests that were not answered from the cache at once.',
        type: 'histogram',
        samples: all.flatMap(({ route, method, durations }) => durations.samples({ route, method })),
      },
      single('gauge', 'quire_http_connections', 'Open connections.', this.#connections),
      single('counter', 'quire_http_connections_total', 'Connections that were accepted.', this.#accepted),
      {
        name: 'quire_http_running_requests',
        help: 'Requests being processed, by kind.',
        type: 'gauge',
        samples: kinds(running),
      },
      {
        name: 'quire_http_waiting_requests',
        help: 'Requests waiting for others to end, by kind.',
        type: 'gauge',
        samples: kinds(waiting),
      },
      {
        name: 'quire_http_refusals_total',
        help: 'Requests refused for lack of capacity, and sign-ins refused because they were too frequent.',
        type: 'counter',
        samples: [
          { labels: { reason: 'capacity' }, value: this.#overloaded },
          { labels: { reason: 'throttling' }, value: this.#throttled },
        ],
      },
      single('gauge', 'quire_http_body_bytes', 'Bytes of bodies whose requests have no answer yet.', bodyBytes),
      single('gauge', 'quire_http_unread_bytes', 'Bytes of answers that are not yet sent.', unreadBytes),
    ]
  }
}

/** Work has begun on all others, or they are no reads that succeeded. */
function isFromCache({ method, startedAt }: FastifyRequest, status: number): boolean {
  return startedAt === undefined && (status === 200 || status === 304) && (method === 'GET' || method === 'HEAD')
}

function newSeries(method: string, route: string): Series {
  const cached = new Float64Array(6)
  return { method, route, cached, made: new Float64Array(6), durations: new Histogram(SECONDS) }
}

/** The method of a request, from the few that there are. */
function methodOf({ method }: FastifyRequest): string {
  return METHODS.has(method) ? method : 'OTHER'
}

/** The path of a route without the prefix of the site, with `:name` for parameters. */
function patternOf(url: string, prefix: string): string {
  return url.startsWith(prefix) ? url.slice(prefix.length) || '/' : url
}

function requests(all: readonly Series[]): Metric {
  const samples = all.flatMap(({ route, method, cached, made }) =>
    Object.entries({ hit: cached, none: made }).flatMap(([cache, counts]) =>
      [...counts].flatMap((value, digit): Sample[] =>
        value === 0 ? [] : [{ labels: { route, method, status: `${digit}xx`, cache }, value }],
      ),
    ),
  )
  return {
    name: 'quire_http_requests_total',
    help: 'Requests by route, method, class of status, and whether the answer came from the cache at once.',
    type: 'counter',
    samples,
  }
}

/** Returns the metric of lookups in the cache of answers. */
export function lookupMetric({ hits, misses }: { readonly hits: number; readonly misses: number }): Metric {
  return {
    name: 'quire_answer_cache_lookups_total',
    help: 'Lookups of answers in the cache.',
    type: 'counter',
    samples: [
      { labels: { result: 'hit' }, value: hits },
      { labels: { result: 'miss' }, value: misses },
    ],
  }
}

const current = new AsyncLocalStorage<FastifyRequest>()
const spans = new WeakMap<FastifyRequest, RequestSpan>()

/** Runs a part of the work on a request: statements that it sends, and spans that it begins, are the request's. */
export function workingOn<T>(request: FastifyRequest, work: () => T): T {
  const span = currentTracer() === null ? undefined : spans.get(request)
  return current.run(request, span === undefined ? work : () => span.within(work))
}

/** Method and route of the request that is worked on, such as `GET /api/v1/article/:_id`; undefined outside of one. */
export function currentRoute(prefix: string): string | undefined {
  const request = current.getStore()
  return request && `${methodOf(request)} ${routeOf(request, prefix)}`
}

/** Makes a span of each request, where requests are traced; it ends when the answer has left. */
export function traceRequests(fastify: FastifyInstance, prefix: string): void {
  const tracer = currentTracer()
  if (tracer === null) return
  fastify.addHook('onRequest', (request, reply, done) => {
    follow(tracer, request, reply, prefix)
    done()
  })
}

function follow(tracer: Tracer, request: FastifyRequest, reply: FastifyReply, prefix: string): void {
  const method = methodOf(request)
  const span = tracer.request(method, request.headers)
  spans.set(request, span)
  reply.raw.once('close', () => {
    const { statusCode: status } = reply.raw
    const route = request.is404 ? '' : routeOf(request, prefix)
    // No path: it may name what only some may see.
    span.end(
      `${method} ${route}`.trim(),
      {
        'http.request.method': method,
        'url.scheme': request.protocol,
        'http.response.status_code': status,
        'quire.request.id': request.id,
        ...(route === '' ? {} : { 'http.route': route }),
        ...(status >= 500 ? { 'error.type': String(status) } : {}),
      },
      status >= 500,
    )
  })
}

function routeOf({ routeOptions: { url = '' } }: FastifyRequest, prefix: string): string {
  return patternOf(url, prefix)
}
