import { CmsError, type ErrorName } from '../../base/errors.ts'

/** Error name → HTTP status: the complete table (§0.2). */
export const STATUS_OF: Readonly<Record<ErrorName, number>> = {
  invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  notfound: 404,
  notallowed: 405,
  conflict: 409,
  toolarge: 413,
  unsupported: 415,
  toomany: 429,
  error: 500,
  unavailable: 503,
}

/** A failure as it is sent: `{ name, message, data }` with its status and the headers it needs. */
export interface Failure {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: { readonly name: ErrorName; readonly message: string; readonly data: object }
}

/**
 * Anything thrown → what is sent. A `CmsError` says what happened; anything else is a bug, whose text is not sent.
 * From status 500 on, `data.requestId` names the line in the log (§0.2).
 */
export function failureOf(thrown: unknown, requestId: string): Failure {
  const error = thrown instanceof CmsError ? thrown : new CmsError('error', BUG_MESSAGE)
  const status = STATUS_OF[error.name]
  const data = status >= 500 ? { ...error.data, requestId } : error.data
  return { status, headers: headersOf(error), body: { name: error.name, message: error.message, data } }
}

const BUG_MESSAGE = 'Something went wrong on our side. Try again; if it happens again, report the request id.'

/** After how many seconds to try again, when the error itself does not say. */
const RETRY_AFTER: { readonly [name in ErrorName]?: number } = { toomany: 60, unavailable: 5 }

function headersOf(error: CmsError): Record<string, string> {
  if (error.name === 'unauthorized') return { 'WWW-Authenticate': 'Bearer' }
  const { allow, retryAfter } = error.data
  if (error.name === 'notallowed' && Array.isArray(allow)) return { Allow: allow.join(', ') }
  const seconds = RETRY_AFTER[error.name]
  return seconds === undefined ? {} : { 'Retry-After': String(typeof retryAfter === 'number' ? retryAfter : seconds) }
}
