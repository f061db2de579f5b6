import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A connection that sends one request after another. Cheap: the client is not to be slower than what it measures. */
export class Connection {
  readonly #socket: Socket
  #answer = new AnswerParser()
  #onAnswer: ((answer: Answer | Error) => void) | null = null

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.setNoDelay(true)
    socket.on('data', (bytes) => this.#take(bytes))
    socket.on('error', (error) => this.#end(error))
    socket.on('close', () => this.#end(new Error('The connection was closed.')))
  }

  static async open(url: string): Promise<Connection> {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    await once(socket, 'connect')
    return new Connection(socket)
  }

  /** Sends a request as it is, and calls back with the answer, once all of it is there. */
  send(request: string, onAnswer: (answer: Answer | Error) => void): void {
    this.#onAnswer = onAnswer
    if (this.#socket.destroyed) this.#end(new Error('The connection was closed.'))
    else this.#socket.write(request)
  }

  close(): void {
    this.#socket.destroy()
  }

  #take(bytes: Buffer): void {
    if (!this.#answer.add(bytes)) return
    const { status, start } = this.#answer
    this.#answer = new AnswerParser()
    this.#end({ status, start })
  }

  #end(answer: Answer | Error): void {
    const onAnswer = this.#onAnswer
    this.#onAnswer = null
    onAnswer?.(answer)
  }
}

/** An answer, as far as it counts. */
export interface Answer {
  readonly status: number
  /** The first bytes of an answer: the head, and some of the body. */
  readonly start: Buffer
}

const END_OF_HEAD = '\r\n\r\n'
const LAST_CHUNK = '\r\n0\r\n\r\n'

/** Finds out where an answer ends. */
class AnswerParser implements Answer {
  status = 0
  start: Buffer = Buffer.alloc(0)
  /** Bytes that are still to come; null: unknown, until the last chunk. */
  #left: number | null = 0
  #tail = ''

  /** True when the answer is complete. */
  add(bytes: Buffer): boolean {
    if (this.status > 0) return this.#isComplete(bytes)
    this.start = this.start.length === 0 ? bytes : Buffer.concat([this.start, bytes])
    const end = this.start.indexOf(END_OF_HEAD)
    if (end < 0) return false
    const head = this.start.toString('latin1', 0, end)
    this.status = Number(head.slice(9, 12))
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
    const isChunked = /\r\ntransfer-encoding: *chunked/i.test(head)
    this.#left = isChunked ? null : Number(length ?? 0)
    return this.#isComplete(this.start.subarray(end + (isChunked ? 2 : END_OF_HEAD.length)))
  }

  #isComplete(body: Buffer): boolean {
    if (this.#left !== null) {
      this.#left -= body.length
      return this.#left <= 0
    }
    this.#tail = (this.#tail + body.toString('latin1', Math.max(0, body.length - LAST_CHUNK.length))).slice(
      -LAST_CHUNK.length,
    )
    return this.#tail === LAST_CHUNK
  }
}
