import type { JsonObject } from 'quire-client'

/** A failed call as the client throws it: `QuireError` has this shape. */
export interface Failure {
  /** The name of the refusal (§0.2); `offline` where no answer came, `timeout` where none came in time. */
  readonly name: string
  /** Of the answer; 0 where there was none. */
  readonly status: number
  readonly message: string
  readonly problems: readonly FieldFailure[]
  readonly data: JsonObject
  readonly requestId: string | null
  /** Seconds. */
  readonly retryAfter: number | null
}

/** The service's message about one field. */
export interface FieldFailure {
  /** Dotted, with ids of items: `body.w1.content`. */
  readonly path: string
  readonly name: string
  readonly message: string
}

/** The failure that was thrown; a bug of ours counts as an `error` without an answer. */
export function failureOf(error: unknown): Failure {
  const given: Partial<Failure> = typeof error === 'object' && error !== null ? error : {}
  const { status = 0 } = given
  const name = given.status !== undefined && given.name ? given.name : 'error'
  // A success that cannot be read was cut off on its way, or is of a network that wants something else first; a
  // conflict is one by its status.
  const isCutOff = name === 'error' && status > 0 && status < 400
  return {
    name: isCutOff ? 'offline' : name === 'error' && status === 409 ? 'conflict' : name,
    status,
    message: given.message ?? String(error),
    problems: given.problems ?? [],
    data: given.data ?? {},
    requestId: given.requestId ?? null,
    retryAfter: given.retryAfter ?? null,
  }
}

/** No answer came, or one that does not know: what was sent may have been stored. */
export function mayBeStored({ name, data }: Failure): boolean {
  return name === 'offline' || name === 'timeout' || name === 'error' || data.mayBeStored === true
}

/** Something that will be over by itself. */
export function isPassing(failure: Failure): boolean {
  const { name } = failure
  return isStale(failure) || name === 'offline' || name === 'timeout' || name === 'unavailable' || name === 'toomany'
}

/** Whether another save came first (§0.8); a value that is taken is a conflict without an ETag. */
function isStale({ name, data }: Failure): boolean {
  return name === 'conflict' && typeof data.etag === 'string'
}
