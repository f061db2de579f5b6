import { CmsError, unavailable } from '../base/errors.ts'

/** The server's code for an error, or the system's; empty when it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

/** Deadlocks, failed serialization, and a row that was referred to while another transaction removed it. */
export function hasCollided(error: unknown): boolean {
  return ['40001', '40P01', '23503'].includes(codeOf(error))
}

/** Throws it as it is, or as `unavailable` when the database cannot be reached. */
export function rethrow(error: unknown): never {
  throw isConnectionError(error) ? unavailable('The database cannot be reached. Try again in a moment.') : error
}

/** The server is away, starting, stopping or full, or the connection to it broke. */
function isConnectionError(error: unknown): boolean {
  if (error instanceof CmsError || !(error instanceof Error)) return false
  const code = codeOf(error)
  if (/^(08|57P0|53300)/.test(code) || /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH|EAI_AGAIN|ENOENT)/.test(code)) {
    return true
  }
  return /Connection terminated|not queryable|timeout exceeded when trying to connect|timeout expired/.test(
    error.message,
  )
}

/** What somebody who starts the service can put right; any other failure as it is. Shows no password. */
export function cannotOpen(url: string, error: unknown): unknown {
  const server = `PostgreSQL at ${URL.parse(url)?.host || 'this machine'}`
  if (error instanceof CmsError) {
    return unavailable(
      `${server} cannot be reached. Check that it runs, takes connections, and that the address is right.`,
    )
  }
  const isRefusal = /^(28|3D)/.test(codeOf(error))
  return isRefusal && error instanceof Error
    ? unavailable(`${server} refuses the connection: ${error.message}.`)
    : error
}
