import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { shownUrl } from './credentials.ts'
import { endpointOf } from './endpoints.ts'

/** What the access log says of a request, once its answer has left or its caller has gone. */
export interface AnsweredRequest {
  readonly requestId: string
  readonly method: string
  /** With the query, without keys and other secrets. */
  readonly path: string
  readonly status: number
  /** Milliseconds since the head of the request was read. */
  readonly ms: number
  /** What was sent to the caller, the head of the answer included. */
  readonly bytes: number
  /** The answer came from memory. */
  readonly cached: boolean
  /** The address that called, as the site's proxy names it. */
  readonly address: string
  /** The caller went away before the answer had left. */
  readonly aborted?: true
}

/** Tells of each request that it is given, once. */
export class AccessLog {
  readonly #write: (answered: AnsweredRequest) => void
  /** How much of what a connection has sent is told already. */
  readonly #told = new WeakMap<Socket, number>()

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
        bytes: sent - (this.#told.get(socket) ?? 0),
        // What is answered from memory leaves before work on it begins.
        cached: request.startedAt === undefined && endpointOf(request) !== undefined,
        address: request.ip,
        ...(reply.raw.writableFinished ? {} : { aborted: true }),
      })
      this.#told.set(socket, sent)
    })
  }
}
