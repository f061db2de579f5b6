import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { invalid, tooLarge } from '../../base/errors.ts'
import { html } from '../../base/html.ts'
import type { Log } from '../../base/log.ts'
import type { Site } from '../../model/declared/types.ts'
import type { Load } from '../load/load.ts'
import { endpointOf } from '../requests/endpoints.ts'
import { type Failure, failureOf } from '../requests/failure-status.ts'
import { type Cookie, defaultHeaders, joinHeaders, setCookie } from '../requests/headers.ts'
import { type Answer, type AnswerBody, jsonAnswer, textAnswer } from './answer.ts'
import { namingCaller } from './callers.ts'
import { FrontKeyRefused } from './credentials.ts'
import { describeFailure, FailureLog, factsOf, type RequestFacts, shownFacts } from './failure-log.ts'
import type { RequestMetrics } from './request-watch.ts'
import { sendChunks } from './send-chunks.ts'

/** The options of sending and logging answers. */
interface ResponderOptions {
  readonly site: Pick<Site, 'cors' | 'baseUrl'>
  readonly log: Log
  /** Requests that take longer (milliseconds) are logged; 1,000 when left out. */
  readonly slowMs?: number
}

/** Sends every answer, and logs failures. */
export class Responder {
  /** While the server is stopping, each connection closes after its answer. */
  isClosing = false
  /** The default headers of pages: other sites may read the interface (`cors`), but not pages. */
  readonly pageHeaders: Readonly<Record<string, string>>
  readonly #headers: Readonly<Record<string, string>>
  readonly #load: Load
  readonly #log: Log
  readonly #failures: FailureLog
  readonly #requests: RequestMetrics
  readonly #slowMs: number
  readonly #start = Date.now().toString(36)
  #count = 0

  constructor(options: ResponderOptions, load: Load, requests: RequestMetrics) {
    this.#load = load
    this.#requests = requests
    this.#headers = defaultHeaders(options.site)
    this.pageHeaders = defaultHeaders({ ...options.site, cors: false })
    this.#log = options.log
    this.#failures = new FailureLog(options.log)
    this.#slowMs = options.slowMs ?? 1000
  }

  /** An id that is unique in this process, and most likely among all. */
  nextRequestId(): string {
    this.#count += 1
    return `${this.#start}-${this.#count.toString(36)}`
  }

  /**
   * Sends every answer: the default headers, then the answer's own, which win. An answer to a request whose body is
   * incomplete ends the connection, after its sender had the time to read it.
   */
  send(reply: FastifyReply, answer: Answer, headers = this.#headersFor(reply)): FastifyReply {
    const { request } = reply
    const isRefused = isUnread(request.raw)
    this.#requests.count(request, answer.status)
    this.#logSlow(reply, answer.status)
    if (!isRefused && isWhole(reply, answer)) return this.#sendWhole(reply, answer, headers)
    reply.code(answer.status).headers(headers).headers(answer.headers).header('x-request-id', request.id)
    for (const cookie of answer.cookies ?? []) reply.header('set-cookie', setCookie(cookie))
    if (isRefused || this.isClosing) reply.header('connection', 'close')
    if (answer.body instanceof Readable) return this.#sendStream(reply, answer.body)
    if (answer.body.length === 0) {
      // The framework sends the length of an empty answer to GET alone.
      const lacksLength = request.method === 'HEAD' && answer.status === 200 && !reply.hasHeader('content-length')
      return (lacksLength ? reply.header('content-length', '0') : reply).send()
    }
    const isCompressed = answer.headers['Content-Encoding'] !== undefined
    const body = Buffer.isBuffer(answer.body) ? answer.body : answer.body.bytes()
    if (request.method === 'HEAD') return reply.send(isCompressed ? undefined : body)
    this.#load.answer(body, reply.raw)
    if (isCompressed && !isRefused) return reply.send(Readable.from([body], { objectMode: false }))
    if (!isRefused) return reply.send(body)
    reply.header('content-length', String(body.length))
    return reply.send(Readable.from(lingering(body, request.raw), { objectMode: false }))
  }

  /** Past the framework, which takes longer, and takes bytes in one piece alone: others would have to be copied. */
  #sendWhole(reply: FastifyReply, { status, headers, body }: Answer<WholeBody>, before: Headers): FastifyReply {
    const { raw, request } = reply.hijack()
    const all = joinHeaders(before, headers)
    all['x-request-id'] = request.id
    // Without a length: proxies that decompress an answer and pass its headers on would cut it off there.
    if (status !== 304 && all['content-encoding'] === undefined) all['content-length'] = body.length
    if (this.isClosing) all.connection = 'close'
    raw.writeHead(status, all)
    this.#load.answer(body, raw)
    if (Buffer.isBuffer(body)) raw.end(body)
    else sendChunks(raw, body)
    return reply
  }

  /** Sends anything thrown as an answer; logs it when it is our failure. */
  fail(reply: FastifyReply, thrown: unknown, cookies: readonly Cookie[] = []): FastifyReply {
    const { request } = withoutHeaders(reply)
    const failure = this.#failure(thrown, factsOf(request))
    const named = request.caller === undefined ? failure : namingCaller(failure, request.caller.actor)
    return this.send(reply, { ...named, cookies })
  }

  /** Sends anything thrown as a page: `render` makes one of the failure; where it fails, a plain page says what happened. */
  async failAsPage(
    reply: FastifyReply,
    thrown: unknown,
    cookies: readonly Cookie[] = [],
    render: (failure: Failure) => Promise<Answer> = async (failure) => plainPage(failure),
  ): Promise<FastifyReply> {
    if (thrown instanceof FrontKeyRefused) return this.fail(reply, thrown, cookies)
    const facts = factsOf(reply.request)
    const failure = this.#recordFailure(thrown, facts)
    const answer = await render(failure).catch((error: unknown) => {
      this.#log.error(
        { ...shownFacts(facts), error: describeFailure(error) },
        'The page of a failure could not be rendered.',
      )
      return plainPage(failure)
    })
    return this.send(withoutHeaders(reply), { ...answer, cookies })
  }

  /** Answers what is not HTTP, has too long a head or comes too slowly: there is no request, only the socket. */
  refuse(error: Error & { code?: string }, socket: Socket): void {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    const facts = { requestId: this.nextRequestId(), method: '', url: '', address: socket.remoteAddress ?? '' }
    const { status, headers, body } = this.#failure(refusalOf(error), facts)
    const own = { 'x-request-id': facts.requestId, 'content-length': body.length, connection: 'close' }
    const lines = Object.entries({ ...this.#headers, ...headers, ...own }).map(([name, value]) => `${name}: ${value}`)
    socket.end(`HTTP/1.1 ${status} Refused\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
  }

  #headersFor({ request }: FastifyReply): Readonly<Record<string, string>> {
    return endpointOf(request)?.route?.page === undefined ? this.#headers : this.pageHeaders
  }

  #sendStream(reply: FastifyReply, body: Readable): FastifyReply {
    const { request, raw } = reply
    if (request.method === 'HEAD' || raw.destroyed) {
      body.destroy()
      return reply.send()
    }
    body.on('error', (error) => {
      // A caller who has disconnected is the reason.
      if (!raw.headersSent || raw.destroyed) return
      this.#log.error({ ...shownFacts(factsOf(request)), error: describeFailure(error) }, 'An answer broke off.')
    })
    return reply.send(body)
  }

  /** Counts and logs anything thrown, and returns it as it is sent. */
  #recordFailure(thrown: unknown, facts: RequestFacts): Failure {
    const failure = failureOf(thrown, facts.requestId)
    this.#requests.countFailure(thrown)
    this.#failures.note(thrown, failure.status, facts)
    return failure
  }

  #failure(thrown: unknown, facts: RequestFacts): Answer<Buffer> {
    const { status, headers, body } = this.#recordFailure(thrown, facts)
    if (thrown instanceof FrontKeyRefused) return textAnswer(status, body.message)
    return jsonAnswer(status, body, headers)
  }

  #logSlow({ request }: FastifyReply, status: number): void {
    // Why a request is unavailable has been logged, or was before.
    if (request.startedAt === undefined || status === 503) return
    const ms = performance.now() - request.startedAt
    if (ms >= this.#slowMs)
      this.#log.warn({ ...shownFacts(factsOf(request)), status, ms: Math.round(ms) }, 'A request was slow.')
  }
}

type Headers = Readonly<Record<string, string>>
type WholeBody = Exclude<AnswerBody, Readable>

/** Answers where nothing but their headers and all of their body, if any, has to be sent. */
function isWhole(reply: FastifyReply, answer: Answer): answer is Answer<WholeBody> {
  const { status, body, cookies } = answer
  if (body instanceof Readable || (cookies?.length ?? 0) > 0) return false
  const isPlain = body.length > 0 || status === 304
  return isPlain && reply.request.method !== 'HEAD' && !reply.hasHeader('connection')
}

/** A reply without the headers of an answer that failed, as a stream may before its first byte. */
function withoutHeaders(reply: FastifyReply): FastifyReply {
  for (const name of Object.keys(reply.getHeaders())) if (name !== 'connection') reply.removeHeader(name)
  return reply
}

/** A page without anything of the site's. Messages may name what was sent. */
function plainPage({ status, headers, body }: Failure): Answer<Buffer> {
  const page = html`<!doctype html>
<meta charset="utf-8">
<title>${status}</title>
<p>${body.message}</p>
`
  const type = { 'Content-Type': 'text/html; charset=utf-8' }
  return { ...jsonAnswer(status, {}, { ...headers, ...type }), body: Buffer.from(page.text) }
}

function refusalOf({ code }: { code?: string }): Error {
  if (code === 'HPE_HEADER_OVERFLOW')
    return tooLarge('The URL and headers are too long. Send a long query in the body of a POST (__aposGetWithQuery).')
  return invalid(code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'The request took too long.' : 'This is not proper HTTP.')
}

/** A body with fewer bytes than this left is read to its end, and its connection stays open. */
const SMALL = 64 * 1024
/** Bounds on reading a refused body, so that its sender gets the answer: bytes, time, and time without any byte. */
const MAX_BYTES = 16 * 1024 * 1024
const MAX_MS = 5_000
const PAUSE_MS = 1_000

/** True when a request is answered before its body has come, and the rest may be long. */
function isUnread(request: IncomingMessage): boolean {
  if (request.complete || request.destroyed) return false
  const { 'content-length': length, 'transfer-encoding': coding } = request.headers
  return coding !== undefined || Number(length ?? 0) > SMALL
}

/**
 * An answer's bytes, whose stream ends only when the sender has stopped sending, or after some seconds. Closed at once,
 * a connection with unread bytes is reset, and many senders would never see the answer. Read on for ever, a refusal
 * would cost as much as what it refuses.
 */
async function* lingering(body: Buffer, request: IncomingMessage): AsyncGenerator<Buffer> {
  yield body
  await new Promise<void>((done) => {
    const end = setTimeout(done, MAX_MS).unref()
    const pause = setTimeout(done, PAUSE_MS).unref()
    let bytes = 0
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      pause.refresh()
      if (bytes > MAX_BYTES) done()
    })
    for (const event of ['end', 'close', 'error']) request.on(event, () => done())
    request.on('close', () => {
      clearTimeout(end)
      clearTimeout(pause)
    })
    request.resume()
  })
}
