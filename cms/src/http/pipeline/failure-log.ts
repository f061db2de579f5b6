import type { FastifyRequest } from 'fastify'
import { CmsError } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import { shownUrl } from './credentials.ts'

/** The parts of a request that are logged. */
export interface RequestFacts {
  readonly requestId: string
  readonly method: string
  readonly url: string
  readonly address: string
}

/** The service is not ready for requests. It is logged once, however often a monitor asks (`monitoring-routes.ts`). */
export class NotReady extends CmsError {
  constructor(message: string) {
    super('unavailable', message)
  }
}

const OUTAGE_MS = 1_000
/** How many kinds of failures are counted at a time. */
const MAX_KINDS = 100

/** Statuses that reveal guessing: they are logged with address and URL. */
const REFUSED = [401, 403, 429]

/** Logs the failures of a service. */
export class FailureLog {
  readonly #log: Log
  readonly #outages = new Map<string, { readonly since: number; readonly repeated: number }>()

  constructor(log: Log) {
    this.#log = log
  }

  /** Logs a failure that was answered with a status. Errors of callers are not logged, unless they reveal guessing. */
  note(thrown: unknown, status: number, facts: RequestFacts): void {
    if (thrown instanceof NotReady) return
    const line = { ...shownFacts(facts), status }
    if (status === 503) this.#logOutage(line, describeFailure(thrown))
    else if (status >= 500) this.#log.error({ ...line, error: describeFailure(thrown) }, 'A request failed.')
    else if (REFUSED.includes(status)) this.#log.info({ ...line, address: facts.address }, 'A caller was refused.')
  }

  /** Logs one line a second for each kind: during an outage there may be thousands. */
  #logOutage(line: object, error: string): void {
    const now = Date.now()
    const [kind = ''] = error.split('\n', 1)
    const { since, repeated } = this.#outages.get(kind) ?? { since: 0, repeated: 0 }
    if (now - since < OUTAGE_MS) {
      this.#outages.set(kind, { since, repeated: repeated + 1 })
      return
    }
    if (this.#outages.size >= MAX_KINDS) this.#outages.clear()
    this.#outages.set(kind, { since: now, repeated: 0 })
    this.#log.error({ ...line, error, ...(repeated > 0 ? { repeated } : {}) }, 'A request failed.')
  }
}

/** Returns the parts of a request that are logged. */
export function factsOf(request: FastifyRequest): RequestFacts {
  return { requestId: request.id, method: request.method, url: request.originalUrl, address: request.ip }
}

/** A request as its log line shows it: without secrets. */
export function shownFacts({ requestId, method, url }: RequestFacts): object {
  return { requestId, method, path: shownUrl(url) }
}

/** Anything thrown, with its stack and its causes. */
export function describeFailure(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown)
  const own = thrown.stack ?? thrown.message
  return thrown.cause === undefined ? own : `${own}\nbecause of ${describeFailure(thrown.cause)}`
}
