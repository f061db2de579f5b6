import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { endpointOf } from '../requests/endpoints.ts'
import type { AnsweredRequest } from './answered-request.ts'
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
