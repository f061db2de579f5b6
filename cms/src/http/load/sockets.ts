import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as ConnectionServer, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { connectionAccepted } from '../../base/turns.ts'

// An `import` of `node:http` would read all it exports, its WebSocket client too, which costs a start 50 ms and 13 MB;
// this way only what is named is read.
const { createServer } = process.getBuiltinModule('node:http')

/** A socket that the process has inherited from one that listens on it: its descriptor. */
export interface InheritedSocket {
  readonly fd: number
}

/** How long, in milliseconds, the server waits for clients. */
export interface Timeouts {
  /** For the head of a request, for the whole request with its body, and for one that uploads a file. */
  readonly headers: number
  readonly request: number
  readonly upload: number
  /** For the next bytes of an upload. */
  readonly uploadPause: number
  /** For the next request on a connection (0: there is none), and for any sign of life during one. */
  readonly keepAlive: number
  readonly idle: number
  /** For the start of background work after the service listens: the first answer does not wait for it. */
  readonly background: number
  /**
   * When the service stops: how long it keeps answering while reporting that it is not ready, so that proxies stop
   * sending requests.
   */
  readonly drain: number
  /** And then for running requests, writes and uploads among them. */
  readonly close: number
}

/** The default timeouts. */
export const TIMEOUTS: Timeouts = {
  headers: 15_000,
  request: 120_000,
  upload: 3_600_000,
  uploadPause: 30_000,
  keepAlive: 65_000,
  idle: 120_000,
  background: 5_000,
  drain: 0,
  close: 10_000,
}

/** The most bytes of a request's head: a URL may contain the 500 ids that a list accepts (§0.4). */
const MAX_HEAD_BYTES = 48 * 1024

/** How many requests of one connection may be without their whole answer; clients that send ahead send a few. */
export const MAX_UNANSWERED = 32

type Listener = (request: IncomingMessage, response: ServerResponse) => void

/** The server of Node.js below the framework, with its limits. */
export function nodeServer(whenAsked: Listener, timeouts: Timeouts) {
  const listener = boundedPerConnection(whenAsked)
  const server = createServer(
    {
      maxHeaderSize: MAX_HEAD_BYTES,
      headersTimeout: Math.min(timeouts.headers, timeouts.request),
      requestTimeout: Math.max(timeouts.request, timeouts.upload),
      keepAliveTimeout: timeouts.keepAlive,
      connectionsCheckingInterval: Math.min(5_000, timeouts.headers),
      // Refused like everything else, in JSON (`namesItsHost`).
      requireHostHeader: false,
    },
    listener,
  )
  if (timeouts.keepAlive === 0) server.maxRequestsPerSocket = 1
  // A sender that waits for `100 Continue` gets it when the body is wanted (`askForBody`), not before.
  server.on('checkContinue', listener)
  // No other expectations exist (RFC 9110 10.1.1); by default Node.js would refuse them without a body.
  server.on('checkExpectation', listener)
  server.setTimeout(timeouts.idle)
  server.on('connection', connectionAccepted)
  return server
}

/**
 * Closes connections that send requests ahead without end: Node.js begins all that it has read, and holds their answers
 * until those before them are read.
 */
function boundedPerConnection(listener: Listener): Listener {
  const unanswered = new WeakMap<Socket, number>()
  return (request, response) => {
    const { socket } = request
    if (socket.destroyed) return
    const count = (unanswered.get(socket) ?? 0) + 1
    if (count > MAX_UNANSWERED) {
      socket.destroy()
      return
    }
    unanswered.set(socket, count)
    response.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1))
    listener(request, response)
  }
}

/** How long a new connection has, when the service stops, until the first bytes of a request are read. */
const FIRST_BYTES_MS = 250

/**
 * Connections on which nothing was sent yet, as browsers and load balancers make them in advance. Node.js does not
 * count them as idle, so that a server would wait for them when it closes; the function that is returned closes them.
 */
export function unusedConnections(server: Server): () => void {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  return () => {
    setTimeout(() => {
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
    }, FIRST_BYTES_MS).unref()
  }
}

/** How long requests are answered, when the service stops, on connections that clients have kept open. */
const LAST_REQUESTS_MS = 1_000

/**
 * Accepts no more connections, and leaves open those that there are for a second: each answer meanwhile asks its caller
 * for a new one. `close` of a server of Node.js would close at once those that are idle, of which some are about to be used.
 */
export async function acceptNoMore(server: Server): Promise<void> {
  ConnectionServer.prototype.close.call(server)
  await pause(LAST_REQUESTS_MS)
}

/**
 * True for one Host header, as HTTP/1.1 wants it (RFC 9112 3.2). Of several, those who pass a request on may read
 * different ones; `headers` has the first.
 */
export function namesItsHost({ headers, rawHeaders, httpVersion }: IncomingMessage): boolean {
  if (headers.host === undefined) return httpVersion === '1.0'
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1
  }
  return count === 1
}

/** `headers` silently drops the second of two Authorization headers; here they are one text, which is then refused. */
export function authorizationOf(request: IncomingMessage): string | undefined {
  if (request.headers.authorization === undefined) return undefined
  return request.headersDistinct?.authorization?.join(', ') ?? request.headers.authorization
}

/** Sends `100 Continue` to a sender that waits for it. */
export function askForBody(request: IncomingMessage, response: ServerResponse): void {
  if (request.headers.expect?.toLowerCase() === '100-continue' && !response.headersSent) response.writeContinue()
}

/** Calls back when the body of a request takes too long to come. */
export function whenLate(request: IncomingMessage, ms: number, giveUp: (error: Error) => void): void {
  const timer = setTimeout(() => {
    const error = Object.assign(new Error('The request took too long.'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
    if (!request.complete) giveUp(error)
  }, ms).unref()
  for (const event of ['end', 'close']) request.once(event, () => clearTimeout(timer))
}
