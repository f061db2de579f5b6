import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { invalid, tooLarge } from '../base/errors.ts'
import { unlessKnown } from './answer.ts'
import type { Exchange } from './exchange.ts'
import { createServer } from './node-http.ts'
import type { Outgoing } from './outgoing.ts'

/** How long, in milliseconds, the server waits for others. */
export interface Timeouts {
  /** For the head of a request, for the whole request with its body, and for one that uploads a file. */
  readonly headers: number
  readonly request: number
  readonly upload: number
  /** For the next bytes of an upload. */
  readonly uploadPause: number
  /** For the next request on a connection, and for any sign of life during one. */
  readonly keepAlive: number
  readonly idle: number
  /** For running requests when the server closes. */
  readonly close: number
}

/** What is waited unless the options say otherwise. */
export const TIMEOUTS: Timeouts = {
  headers: 15_000,
  request: 120_000,
  upload: 3_600_000,
  uploadPause: 30_000,
  keepAlive: 65_000,
  idle: 120_000,
  close: 10_000,
}

/** The server of Node.js below the framework, with its limits. */
export function nodeServer(listener: (request: IncomingMessage, response: ServerResponse) => void, timeouts: Timeouts) {
  const server = createServer(
    {
      headersTimeout: Math.min(timeouts.headers, timeouts.request),
      requestTimeout: Math.max(timeouts.request, timeouts.upload),
      keepAliveTimeout: timeouts.keepAlive,
      connectionsCheckingInterval: Math.min(5_000, timeouts.headers),
      requireHostHeader: false,
    },
    listener,
  )
  // Who waits for a word before sending a body gets it when the body is wanted (`askForBody`), not before.
  server.on('checkContinue', listener)
  // Other expectations are none that anybody has (RFC 9110 10.1.1); left to itself Node.js would refuse them without a word.
  server.on('checkExpectation', listener)
  server.setTimeout(timeouts.idle)
  return server
}

/** A kept answer, before the framework does anything: this is most of what a site is asked. */
export function answerKept(
  exchange: Exchange,
  outgoing: Outgoing,
  request: IncomingMessage,
  response: ServerResponse,
): boolean {
  const { method, url, headers } = request
  const found = exchange.kept({ method, url, headers, authorization: authorizationOf(request) })
  if (found === undefined) return false
  const { answer: kept, isStranger } = found
  const known = isStranger ? unlessKnown(kept, headers['if-none-match']) : kept
  const id = outgoing.nextRequestId()
  if (known.status === 304) {
    response.writeHead(304, { ...outgoing.dressed(known, id, 'GET').headers }).end()
  } else {
    response.writeHead(200, [...kept.rawHeaders, ...outgoing.rawHeadersFor(kept), 'X-Request-Id', id])
    response.end(request.method === 'HEAD' ? undefined : kept.body)
  }
  return true
}

/** `headers` silently drops the second of two Authorization headers; here they are one text, which is then refused. */
export function authorizationOf(request: IncomingMessage): string | undefined {
  if (request.headers.authorization === undefined) return undefined
  return request.headersDistinct?.authorization?.join(', ') ?? request.headers.authorization
}

/** Tells a sender who waits for it (`Expect: 100-continue`) that the body is wanted. */
export function askForBody(request: IncomingMessage, response: ServerResponse): void {
  if (request.headers.expect?.toLowerCase() === '100-continue' && !response.headersSent) response.writeContinue()
}

/** Ends a request whose body takes too long to come. */
export function giveUpLate(request: IncomingMessage, outgoing: Outgoing, ms: number): void {
  const timer = setTimeout(() => {
    const error = Object.assign(new Error('The request took too long.'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
    if (!request.complete) refuseMalformed(outgoing, error, request.socket)
  }, ms).unref()
  for (const event of ['end', 'close']) request.once(event, () => clearTimeout(timer))
}

/** What is no HTTP, too long a head, or too slow: answered on the bare socket. */
export function refuseMalformed(outgoing: Outgoing, error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const refusal =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? tooLarge('The head of the request is too long.')
      : invalid(error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'The request took too long.' : 'This is not proper HTTP.')
  const { status, headers, body } = outgoing.failure(refusal, {
    requestId: outgoing.nextRequestId(),
    method: '',
    url: '',
    address: socket.remoteAddress ?? '',
  })
  const lines = Object.entries({ ...headers, 'Content-Length': body.length, Connection: 'close' })
  const head = [`HTTP/1.1 ${status} Refused`, ...lines.map(([name, value]) => `${name}: ${value}`)].join('\r\n')
  socket.end(`${head}\r\n\r\n${body}`)
}
