import type { JsonObject } from './json.ts'

/** The names of errors: the closed list of the service (§0.2), and `offline` and `timeout`, where no answer came. */
export type ErrorName =
  | 'invalid'
  | 'unauthorized'
  | 'forbidden'
  | 'notfound'
  | 'notallowed'
  | 'conflict'
  | 'toolarge'
  | 'unsupported'
  | 'toomany'
  | 'error'
  | 'unavailable'
  | 'offline'
  | 'timeout'

/** A mistake in one field; `path` is dotted from the top field and names items and widgets by `_id`. */
export interface Problem {
  readonly path: string
  readonly name: string
  readonly message: string
}

interface Details {
  /** 0 where no answer came. */
  readonly status?: number
  readonly data?: JsonObject | undefined
  readonly requestId?: string | null
  readonly retryAfter?: number | null
  readonly cause?: unknown
}

/** Every failure of a call, except that its own `AbortSignal` ended it, which throws what the platform throws. */
export class QuireError extends Error {
  override readonly name: ErrorName
  /** The status of the answer; 0 where none came. */
  readonly status: number
  readonly data: JsonObject
  /** Names the request in the log of the service. */
  readonly requestId: string | null
  /** Seconds after which to try again, where the service says so. */
  readonly retryAfter: number | null

  constructor(name: ErrorName, message: string, details: Details = {}) {
    super(message, { cause: details.cause })
    this.name = name
    this.status = details.status ?? 0
    this.data = details.data ?? {}
    this.requestId = details.requestId ?? null
    this.retryAfter = details.retryAfter ?? null
  }

  /** All mistakes in fields, as the service found them. */
  get problems(): readonly Problem[] {
    // `as`: §0.2 says what the list holds.
    return Array.isArray(this.data.errors) ? (this.data.errors as unknown as readonly Problem[]) : []
  }
}

/** True for a failure of this name: `if (isProblem(error, 'conflict')) …`. */
export function isProblem<Name extends ErrorName>(
  error: unknown,
  name: Name,
): error is QuireError & { readonly name: Name } {
  return error instanceof QuireError && error.name === name
}

/** The names of errors for answers of proxies, by status. */
const NAMES: Readonly<Record<number, ErrorName>> = {
  401: 'unauthorized',
  413: 'toolarge',
  429: 'toomany',
  502: 'unavailable',
  503: 'unavailable',
  504: 'unavailable',
}

/** The parts of a failed answer that its error carries. */
export interface FailedAnswer {
  readonly status: number
  /** The body as JSON; anything else where a proxy answered. */
  readonly body: unknown
  readonly headers: Headers
}

/** The error that an answer stands for; one by a proxy, which has no `data`, is named by its status. */
export function errorOf({ status, body, headers }: FailedAnswer): QuireError {
  // `as`: §0.2 says what failures hold; what a proxy answers has none of it.
  const failure = (body ?? {}) as { name?: ErrorName; message?: string; data?: JsonObject }
  const { name, message, data } = failure.data instanceof Object ? failure : {}
  return new QuireError(name ?? NAMES[status] ?? 'error', message ?? `The answer has the status ${status}.`, {
    status,
    data,
    requestId: headers.get('x-request-id'),
    retryAfter: Number(headers.get('retry-after')) || null,
  })
}
