import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { CmsError, invalid, tooLarge, unsupported } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import type { Files } from '../files/files.ts'
import type { Site } from '../model/types.ts'
import type { Answer } from './answer.ts'
import { type Body, parseBody } from './body.ts'
import { type Arrival, Exchange, type ExchangeOptions, type Visit } from './exchange.ts'
import { isUnread, lingering } from './lingering.ts'
import { type Facts, Outgoing } from './outgoing.ts'
import {
  answerKept,
  askForBody,
  authorizationOf,
  giveUpLate,
  nodeServer,
  refuseMalformed,
  TIMEOUTS,
  type Timeouts,
} from './sockets.ts'
import { MultipartUpload, type UploadLimits } from './upload.ts'
import { Uploads } from './uploads.ts'

/** What a server is made of. */
export interface ServerOptions extends ExchangeOptions {
  readonly site: ExchangeOptions['site'] & Pick<Site, 'limits' | 'cors'>
  readonly files: Files
  readonly log: Log
  /** Requests that take longer (milliseconds) are logged; 1,000 when left out. */
  readonly slowMs?: number
  readonly timeouts?: Partial<Timeouts>
}

/** A server that listens on sockets. */
export interface Server {
  /** Answers the address: `http://127.0.0.1:3000`. Port 0 takes a free one. */
  listen(port: number, host: string): Promise<string>
  /** Takes no more requests, finishes those that run (for at most `timeouts.close`), then resolves. */
  close(): Promise<void>
  /** Answers one request without a socket. An object as body is sent as JSON. */
  handle(call: Call): Promise<Answered>
}

/** A request without a socket; GET when no method is named. */
export interface Call {
  readonly method?: string
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: object | string
}

/** The answer to a `Call`, its body as text. */
export interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>
  readonly text: string
  json(): unknown
}

/** The HTTP server of a site: its routes, over the web framework, which no other file names. */
export function createServer(options: ServerOptions): Server {
  const exchange = new Exchange(options)
  const outgoing = new Outgoing(options)
  const uploads = new Uploads(options, outgoing)
  const timeouts = { ...TIMEOUTS, ...options.timeouts }
  const fastify = Fastify({
    serverFactory: (listener) => {
      const answer = (request: IncomingMessage, response: ServerResponse) => {
        if (uploads.answer(request, response)) return
        if (outgoing.isClosing || !answerKept(exchange, outgoing, request, response)) listener(request, response)
      }
      return nodeServer(answer, timeouts)
    },
    genReqId: () => outgoing.nextRequestId(),
    bodyLimit: options.site.limits.bodyBytes,
    // One hop: the address that our own proxy saw, not one that a caller claims in the same header.
    trustProxy: options.site.trustProxy && ((_address: string, hop: number) => hop === 0),
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 65_536 },
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    clientErrorHandler: (error, socket) => refuseMalformed(outgoing, error, socket),
    frameworkErrors: (error, request, reply) =>
      void send(reply, outgoing.failure(known(error), factsOf(request)), outgoing),
  })
  const limits = { maxBytes: options.site.limits.uploadBytes, pauseMs: timeouts.uploadPause }
  addRoutes(fastify, exchange, outgoing, { uploads: limits, requestMs: timeouts.request })
  return {
    listen: (port, host) => fastify.listen({ port, host }),
    close: async () => {
      outgoing.isClosing = true
      const timer = setTimeout(() => fastify.server.closeAllConnections(), timeouts.close)
      await fastify.close()
      clearTimeout(timer)
    },
    handle: (call) => handle(fastify, call),
  }
}

/** No route has a schema of the framework's: given these, it does not load its compilers, which are large. */
function noSchemas(): never {
  throw new Error('Routes have no schemas of the framework: what comes is read by their own parameters.')
}

/** How much, and for how long, is read of those who send. */
interface Patience {
  readonly uploads: UploadLimits
  readonly requestMs: number
}

/** Everything comes to one handler: routes are found by `Exchange`, which knows prefixes, locales and POST-as-GET. */
function addRoutes(fastify: FastifyInstance, exchange: Exchange, outgoing: Outgoing, patience: Patience): void {
  const visits = new WeakMap<FastifyRequest, Visit>()
  fastify.removeAllContentTypeParsers()
  fastify.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, bytes, done) => done(null, bytes))
  // Left on the socket: only routes that declare `upload` get this far with it, and they read it themselves.
  fastify.addContentTypeParser('multipart/form-data', (_request, _stream, done) => done(null))
  const begin = async (request: FastifyRequest, reply: FastifyReply) => {
    const begun = await exchange.begin(arrivalOf(request))
    if ('status' in begun) return send(reply, outgoing.dressed(begun, request.id, request.method), outgoing)
    visits.set(request, begun)
    if (!begun.arrival.hasBody || begun.isUpload) return
    askForBody(request.raw, reply.raw)
    giveUpLate(request.raw, outgoing, patience.requestMs)
  }
  const finish = async (request: FastifyRequest, reply: FastifyReply) => {
    const visit = visits.get(request)
    if (visit === undefined) throw new Error('A request came to its handler without having begun.')
    const ask = () => askForBody(request.raw, reply.raw)
    const upload = visit.match?.route.upload ? new MultipartUpload(request.raw, patience.uploads, ask) : undefined
    try {
      const answer = await exchange.finish(visit, bodyOf(request), upload)
      return send(reply, outgoing.dressed(answer, request.id, request.method), outgoing)
    } finally {
      upload?.stop()
    }
  }
  fastify.setErrorHandler((error, request, reply) => {
    const failure = request.raw.readableAborted ? invalid('The request was broken off.') : known(error)
    const { cookies = [] } = visits.get(request)?.caller ?? {}
    forgetHeaders(reply)
    const answer = outgoing.failure(failure, factsOf(request))
    return send(reply, { ...answer, ...(cookies.length > 0 ? { cookies } : {}) }, outgoing)
  })
  fastify.setNotFoundHandler(finish)
  fastify.addHook('onRequest', begin)
  fastify.addHook('onResponse', async (request, reply) => {
    outgoing.noteSlow(factsOf(request), reply.statusCode, reply.elapsedTime)
  })
  fastify.all('/*', finish)
}

function bodyOf({ body, headers }: FastifyRequest): Body {
  return Buffer.isBuffer(body) ? parseBody(body, headers) : {}
}

function arrivalOf(request: FastifyRequest): Arrival {
  const { headers, method, originalUrl: url, ip: address } = request
  const hasBody = headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
  return { method, url, headers, address, hasBody, authorization: authorizationOf(request.raw) }
}

function factsOf(request: FastifyRequest): Facts {
  return { requestId: request.id, method: request.method, url: request.originalUrl, address: request.ip }
}

function send(reply: FastifyReply, answer: Answer, outgoing: Outgoing): FastifyReply {
  const { request } = reply
  if (answer.cookies) reply.header('Set-Cookie', [...answer.cookies])
  reply.code(answer.status).headers(answer.headers)
  const isRefused = isUnread(request.raw)
  if (isRefused) reply.header('Connection', 'close')
  if (!Buffer.isBuffer(answer.body)) return sendStream(reply, answer.body, outgoing)
  if (answer.body.length === 0) return reply.send()
  if (!isRefused || request.method === 'HEAD') return reply.send(answer.body)
  reply.header('Content-Length', String(answer.body.length))
  return reply.send(Readable.from(lingering(answer.body, request.raw), { objectMode: false }))
}

function sendStream(reply: FastifyReply, body: Readable, outgoing: Outgoing): FastifyReply {
  const { request } = reply
  if (request.method === 'HEAD') {
    body.destroy()
    return reply.send()
  }
  body.on('error', (error) => {
    if (reply.raw.headersSent && !reply.raw.destroyed) outgoing.noteBroken(error, factsOf(request))
  })
  return reply.send(body)
}

/** A stream that failed before its first byte has left the headers of the answer that it was to be. */
function forgetHeaders(reply: FastifyReply): void {
  const names = Object.keys(reply.getHeaders()).filter((name) => name !== 'connection')
  for (const name of names) reply.removeHeader(name)
  for (const name of reply.raw.getHeaderNames()) reply.raw.removeHeader(name)
}

/** The framework's own refusals in our words; other errors as they are. */
function known(thrown: unknown): unknown {
  if (thrown instanceof CmsError || !(thrown instanceof Error) || !('code' in thrown)) return thrown
  switch (thrown.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return tooLarge('The body is larger than this service takes.')
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return unsupported('Send the body as application/json or application/x-www-form-urlencoded.')
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return invalid('The body is not as long as its Content-Length says.')
    case 'FST_ERR_BAD_URL':
      return invalid('The path is not properly percent-encoded.')
    default:
      return thrown
  }
}

async function handle(fastify: FastifyInstance, call: Call): Promise<Answered> {
  const response = await fastify.inject({
    // `as`: any method may be tried, also one that nobody knows.
    method: (call.method ?? 'GET') as 'GET',
    url: call.url,
    headers: { ...call.headers },
    ...(call.body === undefined ? {} : { payload: call.body }),
  })
  const { statusCode: status, headers, payload: text } = response
  return { status, headers, text, json: () => JSON.parse(text) }
}
