import type { Log } from '../base/log.ts'
import type { Site } from '../model/types.ts'
import { type Answer, jsonAnswer } from './answer.ts'
import { withoutKeys } from './credentials.ts'
import { failureOf } from './errors.ts'

/** What the log says of a request. */
export interface Facts {
  readonly requestId: string
  readonly method: string
  readonly url: string
}

export interface OutgoingOptions {
  readonly site: Pick<Site, 'cors'>
  readonly log: Log
  /** Requests that take longer (milliseconds) are logged; 1,000 when left out. */
  readonly slowMs?: number
}

/** What every answer gets, and what the log is told. */
export class Outgoing {
  /** While the server closes, each connection ends with its answer. */
  isClosing = false
  /** The headers of every answer, as Node takes them fastest. */
  readonly rawHeaders: readonly string[]
  readonly #headers: Readonly<Record<string, string>>
  readonly #preflight: Readonly<Record<string, string>>
  readonly #log: Log
  readonly #slowMs: number
  readonly #start = Date.now().toString(36)
  #count = 0

  constructor(options: OutgoingOptions) {
    const { cors } = options.site
    this.#headers = { 'X-Content-Type-Options': 'nosniff', ...(cors ? CORS : {}) }
    this.#preflight = cors ? PREFLIGHT : {}
    this.rawHeaders = Object.entries(this.#headers).flat()
    this.#log = options.log
    this.#slowMs = options.slowMs ?? 1000
  }

  /** An id that no other request of this process has, and hardly one of another. */
  nextRequestId(): string {
    this.#count += 1
    return `${this.#start}-${this.#count.toString(36)}`
  }

  /** The answer with the headers that every one has (OPTIONS: and those that a preflight asks for). */
  dressed(answer: Answer, requestId: string, method: string): Answer {
    const preflight = method === 'OPTIONS' ? this.#preflight : {}
    const own = { 'X-Request-Id': requestId, ...(this.isClosing ? { Connection: 'close' } : {}) }
    return { ...answer, headers: { ...this.#headers, ...preflight, ...answer.headers, ...own } }
  }

  /** Anything thrown as an answer; logged when it is our failure. */
  failure(thrown: unknown, facts: Facts): Answer {
    const { status, headers, body } = failureOf(thrown, facts.requestId)
    if (status >= 500) this.#log.error({ ...this.#shown(facts), status, error: describe(thrown) }, 'A request failed.')
    return this.dressed(jsonAnswer(status, body, headers), facts.requestId, facts.method)
  }

  /** Logs an answered request that took long. */
  noteSlow(facts: Facts, status: number, ms: number): void {
    if (ms < this.#slowMs) return
    this.#log.warn({ ...this.#shown(facts), status, ms: Math.round(ms) }, 'A request was slow.')
  }

  #shown({ requestId, method, url }: Facts): object {
    return { requestId, method, path: withoutKeys(url).slice(0, 500) }
  }
}

const CORS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'ETag, Retry-After, X-Request-Id',
}

const PREFLIGHT = {
  'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, If-Match, If-None-Match',
  'Access-Control-Max-Age': '86400',
}

function describe(thrown: unknown): string {
  return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)
}
