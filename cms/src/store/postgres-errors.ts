import { CmsError, unavailable } from '../base/errors.ts'
import { UnusableDatabase } from './store.ts'

/** The server's code for an error, or the system's; empty when it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

/** Deadlocks, failed serialization, and a row that was referred to while another transaction removed it. */
export function hasCollided(error: unknown): boolean {
  return ['40001', '40P01', '23503'].includes(codeOf(error))
}

/** Throws `unavailable` for what the server could not do just now, and any other error unchanged. */
export function rethrow(error: unknown): never {
  if (isConnectionError(error)) throw unavailable('The database cannot be reached. Try again in a moment.', error)
  if (PREPARED_ELSEWHERE.test(codeOf(error))) {
    throw unavailable(
      'The database cannot be used at present. Try again later.',
      new UnusableDatabase(POOLED, { cause: error }),
    )
  }
  const refusal = REFUSALS.find(([codes]) => codes.test(codeOf(error)))
  throw refusal ? unavailable(refusal[1], error) : error
}

/** A statement is prepared already, or no more: another client had this connection to the server in between. */
const PREPARED_ELSEWHERE = /^(42P05|26000)$/
const POOLED =
  'A pooler between Quire and PostgreSQL gives one connection to several clients (transaction pooling), which does not work. Use session mode: pool_mode = session for PgBouncer.'

/** Refusals of correct statements, by error code. */
const REFUSALS: readonly (readonly [RegExp, string])[] = [
  [/^(55P03|57014|25P0[34])$/, 'The database is busy. Try again in a moment.'],
  [/^(25006|53100)$/, 'The database takes no changes at the moment. Try again later.'],
  [/^(53|54001|58)/, 'The database is out of resources. Try again later.'],
]

/** True when the server did not answer a statement in time, so that the connection is lost. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout'
}

/** The server is away, starting, stopping or full, or the connection to it broke. */
function isConnectionError(error: unknown): boolean {
  if (error instanceof CmsError || !(error instanceof Error)) return false
  const code = codeOf(error)
  if (/^(08|57P0|53300)/.test(code) || /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH|EAI_AGAIN|ENOENT)/.test(code)) {
    return true
  }
  return (
    isUnanswered(error) ||
    /Connection terminated|not queryable|timeout exceeded when trying to connect|timeout expired/.test(error.message)
  )
}

/** The error for whoever starts the service, where they can fix it; any other failure unchanged. Shows no password. */
export function cannotOpen(url: string, error: unknown): unknown {
  const server = `PostgreSQL at ${URL.parse(url)?.host || 'this machine'}`
  const cause = error instanceof CmsError ? error.cause : error
  // The last one is what poolers answer to settings of a connection that they do not know.
  if (cause instanceof Error && /^(28|3D|08P01)/.test(codeOf(cause))) {
    return unavailable(`${server} refuses the connection: ${cause.message}.`)
  }
  if (cause instanceof UnusableDatabase) return cause
  if (!(error instanceof CmsError)) return error
  return unavailable(
    `${server} cannot be reached. Check that it runs, takes connections, and that the address is right.`,
  )
}
