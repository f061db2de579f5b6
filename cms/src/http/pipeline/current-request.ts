import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { RequestSpan, Tracer } from '../../base/spans.ts'
import { currentTracer } from '../../base/tracing.ts'
import { methodOf, patternOf } from './request-metrics.ts'

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
