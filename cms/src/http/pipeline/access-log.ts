import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { endpointOf } from '../requests/endpoints.ts'
import { shownUrl } from './credentials.ts'

/** Logs each request that it is given, once. */
export class AccessLog {
  readonly #write: (answered: AnsweredRequest) => void
  /** How many of the bytes that a connection has sent are logged already. */
  readonly #loggedBytes = new WeakMap<Socket, number>()

  constructor(write: (answered: AnsweredRequest) => void) {
    this.#write = write
  }

  /** Waits for the end of a request that has just come. */
  follow(request: FastifyRequest, reply: FastifyReply): void {
    const start = performance.now()
    const { socket } = request
    let sent: number | null = null
    // First: then Node.js begins to send the next answer on the connection.
    reply.raw.prependOnceListener('finish', () => {
      sent = socket.bytesWritten
    })
    reply.raw.once('close', () => {
      sent ??= socket.bytesWritten
      this.#write({
        requestId: request.id,
        method: request.method,
        path: shownUrl(request.originalUrl),
        status: reply.raw.statusCode,
        ms: Math.round((performance.now() - start) * 10) / 10,
        bytes: sent - (this.#loggedBytes.get(socket) ?? 0),
        // Cached answers leave before work on their request begins.
        cached: request.startedAt === undefined && endpointOf(request) !== undefined,
        address: request.ip,
        ...(reply.raw.writableFinished ? {} : { aborted: true }),
      })
      this.#loggedBytes.set(socket, sent)
    })
  }
}

/** A request as the access log has it, once it was answered or the caller has disconnected. */
export interface AnsweredRequest {
  readonly requestId: string
  readonly method: string
  /** With the query, without keys and other secrets. */
  readonly path: string
  readonly status: number
  /** Milliseconds since the head of the request was read. */
  readonly ms: number
  /** Bytes sent to the caller, with the head of the answer. */
  readonly bytes: number
  /** The answer came from the cache. */
  readonly cached: boolean
  /** The address that called, as the site's proxy names it. */
  readonly address: string
  /** The caller disconnected before the whole answer was sent. */
  readonly aborted?: true
}
