import type { Log } from '../base/log.ts'
import type { Site } from '../model/types.ts'
import { type Answer, jsonAnswer, textAnswer } from './answer.ts'
import { shownUrl } from './credentials.ts'
import { failureOf } from './errors.ts'
import { FrontKeyRefused } from './front-key.ts'
import { OVERRULED, safetyHeaders } from './safety-headers.ts'

/** What the log says of a request. */
export interface Facts {
  readonly requestId: string
  readonly method: string
  readonly url: string
  readonly address: string
}

/** What answers and log lines depend on. */
export interface OutgoingOptions {
  readonly site: Pick<Site, 'cors' | 'baseUrl'>
  readonly log: Log
  /** Requests that take longer (milliseconds) are logged; 1,000 when left out. */
  readonly slowMs?: number
}

/** What every answer gets, and what the log is told. */
export class Outgoing {
  /** While the server closes, each connection ends with its answer. */
  isClosing = false
  readonly #headers: Readonly<Record<string, string>>
  readonly #rawHeaders: readonly string[]
  readonly #preflight: Readonly<Record<string, string>>
  readonly #log: Log
  readonly #slowMs: number
  readonly #start = Date.now().toString(36)
  #count = 0

  constructor(options: OutgoingOptions) {
    const { cors } = options.site
    this.#headers = { ...safetyHeaders(options.site), ...(cors ? CORS : {}) }
    this.#preflight = cors ? PREFLIGHT : {}
    this.#rawHeaders = Object.entries(this.#headers).flat()
    this.#log = options.log
    this.#slowMs = options.slowMs ?? 1000
  }

  /** An id that no other request of this process has, and hardly one of another. */
  nextRequestId(): string {
    this.#count += 1
    return `${this.#start}-${this.#count.toString(36)}`
  }

  /** The headers that every answer has, as Node takes them fastest, but those that a kept answer brings itself. */
  rawHeadersFor({ headers }: Pick<Answer, 'headers'>): readonly string[] {
    const isPlain = !OVERRULED.some((name) => Object.hasOwn(headers, name))
    if (isPlain) return this.#rawHeaders
    return Object.entries(this.#headers).flatMap((entry) => (Object.hasOwn(headers, entry[0]) ? [] : entry))
  }

  /** The answer with the headers that every one has (OPTIONS: and those that a preflight asks for). */
  dressed<Of extends Answer>(answer: Of, requestId: string, method: string): Of {
    const preflight = method === 'OPTIONS' ? this.#preflight : {}
    const own = { 'X-Request-Id': requestId, ...(this.isClosing ? { Connection: 'close' } : {}) }
    return { ...answer, headers: { ...this.#headers, ...preflight, ...answer.headers, ...own } }
  }

  /** Anything thrown as an answer; logged when it is our failure. */
  failure(thrown: unknown, facts: Facts): Answer<Buffer> {
    const { status, headers, body } = failureOf(thrown, facts.requestId)
    const shown = { ...this.#shown(facts), status }
    if (status >= 500) this.#log.error({ ...shown, error: describe(thrown) }, 'A request failed.')
    else if (REFUSED.includes(status)) this.#log.info({ ...shown, address: facts.address }, 'A caller was refused.')
    const isBare = thrown instanceof FrontKeyRefused
    const answer = isBare ? textAnswer(status, body.message) : jsonAnswer(status, body, headers)
    return this.dressed(answer, facts.requestId, facts.method)
  }

  /** Logs an answer whose stream failed after it had begun: its caller has seen the connection cut. */
  noteBroken(thrown: unknown, facts: Facts): void {
    this.#log.error({ ...this.#shown(facts), error: describe(thrown) }, 'An answer broke off.')
  }

  /** Logs an answered request that took long. */
  noteSlow(facts: Facts, status: number, ms: number): void {
    if (ms < this.#slowMs) return
    this.#log.warn({ ...this.#shown(facts), status, ms: Math.round(ms) }, 'A request was slow.')
  }

  #shown({ requestId, method, url }: Facts): object {
    return { requestId, method, path: shownUrl(url) }
  }
}

/** Statuses by which guessing shows: who does it, and where, is in the log. */
const REFUSED = [401, 403, 429]

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
  if (!(thrown instanceof Error)) return String(thrown)
  const own = thrown.stack ?? thrown.message
  return thrown.cause === undefined ? own : `${own}\nbecause of ${describe(thrown.cause)}`
}
