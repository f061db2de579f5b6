import { CmsError, unavailable } from '../../base/errors.ts'
import { codeOf } from '../../base/thrown.ts'
import { addressesOf } from '../database/database-file.ts'
import { UnusableDatabase } from '../database/unusable-database.ts'

/** Deadlocks, failed serialization, and a row that was referred to while another transaction removed it. */
export function hasCollided(error: unknown): boolean {
  return ['40001', '40P01', '23503'].includes(codeOf(error))
}

/**
 * True for what keeps a migration from having the tables to itself: transactions of others that go on for long, or that
 * wait for it while it waits for them.
 */
export function isLockConflict(error: unknown): boolean {
  return ['55P03', '40P01'].includes(codeOf(error instanceof CmsError ? error.cause : error))
}

/** Throws `unavailable` for what the server could not do just now, and any other error unchanged. */
export function rethrow(error: unknown): never {
  throw passing(error) ?? error
}

/**
 * Throws `unavailable` for whatever keeps a connection from being made: no server, one that refuses it, as after a change
 * of the password, or a certificate that has expired meanwhile.
 */
export function rethrowOfConnecting(error: unknown): never {
  throw passing(error) ?? (error instanceof CmsError ? error : unavailable(UNREACHABLE, error))
}

const UNREACHABLE = 'The database cannot be reached. Try again in a moment.'

/** `unavailable` for what the server could not do just now; null for any other error. */
function passing(error: unknown): CmsError | null {
  if (isConnectionError(error)) return unavailable(UNREACHABLE, error)
  if (PREPARED_ELSEWHERE.test(codeOf(error))) {
    return unavailable(
      'The database cannot be used at present. Try again later.',
      new UnusableDatabase(POOLED, { cause: error }),
    )
  }
  const refusal = REFUSALS.find(([codes]) => codes.test(codeOf(error)))
  return refusal === undefined ? null : unavailable(refusal[1], error)
}

/** A statement is prepared already, or no more: another client had this connection to the server in between. */
const PREPARED_ELSEWHERE = /^(42P05|26000)$/
const POOLED =
  'A pooler between Quire and PostgreSQL gives one connection to several clients (transaction pooling). Name the server itself in QUIRE_DATABASE_LISTEN.'

/** Refusals of correct statements, by error code. */
const REFUSALS: readonly (readonly [RegExp, string])[] = [
  [/^(55P03|57014|25P0[34])$/, 'The database is busy. Try again in a moment.'],
  [/^(25006|53100)$/, 'The database accepts no changes at the moment. Try again later.'],
  [/^53300$/, 'The database has no connection left. Try again in a moment.'],
  [/^42501$/, 'The database does not allow its account to do this. Its operator has to permit it.'],
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
  if (/^(08|57P0)/.test(code) || /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH|EAI_AGAIN|ENOENT)/.test(code)) {
    return true
  }
  return (
    isUnanswered(error) ||
    /Connection terminated|not queryable|timeout exceeded when trying to connect|timeout expired/.test(error.message)
  )
}

/**
 * The error for people who start the service and cannot reach the server, or is refused by it; any other failure
 * unchanged. Shows no password.
 */
export function cannotOpen(url: string, error: unknown): unknown {
  const refusal = refusalOf(url, error)
  if (refusal !== null) return refusal
  if (error instanceof CmsError && error.cause instanceof UnusableDatabase) return error.cause
  if (!(error instanceof CmsError)) return error
  const reason = error.cause instanceof Error ? error.cause.message || codeOf(error.cause) : ''
  return unavailable(
    `${serverOf(url)} cannot be reached${reason && `: ${reason}`}. Check that it runs, takes connections, and that the address is right.`,
  )
}

/** A refusal by the server, with advice for people who start the service; null for any other failure. */
export function refusalOf(url: string, error: unknown): CmsError | null {
  const cause = error instanceof CmsError ? error.cause : error
  if (!(cause instanceof Error)) return null
  const advice = ADVICE.find(([pattern]) => pattern.test(codeOf(cause) || cause.message))
  return advice === undefined ? null : unavailable(advice[1](serverOf(url), cause.message), cause)
}

function serverOf(url: string): string {
  return `PostgreSQL at ${hostsOf(url) || 'this machine'}`
}

/** The servers that an address names, as people know them. */
export function hostsOf(url: string): string {
  return addressesOf(url)
    .flatMap((address) => URL.parse(address)?.host || [])
    .join(', ')
}

/** Messages and advice, by the code of an error, or by its message where it has none. */
const ADVICE: readonly (readonly [RegExp, (server: string, message: string) => string])[] = [
  [
    /^28/,
    (server, message) =>
      `${server} refuses the connection: ${message}. Check user and password in the address (or PGPASSWORD), and whom the server lets in.`,
  ],
  [
    /^3D/,
    (server, message) =>
      `${server} refuses the connection: ${message}. Create the database, or correct its name in the address.`,
  ],
  // What poolers answer to settings of a connection that they do not know.
  [/^08P01/, (server, message) => `${server} refuses the connection: ${message}.`],
  [
    /^53300$/,
    (server, message) => `${server} has no connection left: ${message}. Raise its limit, or lower QUIRE_POOL_SIZE.`,
  ],
  [
    /^(42501|3F000)$/,
    (server, message) =>
      `${server} does not let this account use the database: ${message}. Let it own the database, or grant what is missing.`,
  ],
  [/^25006$/, (server, message) => `${server} takes no changes: ${message}. Is it a standby, or set to be read-only?`],
  [
    /^SASL: .*password must be/,
    (server) => `${server} asks for a password. Write postgres://user:password@host/database.`,
  ],
  [
    /^The server does not support SSL/,
    (server) => `${server} does not encrypt connections. Leave sslmode out of the address, or set up TLS there.`,
  ],
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    (server, message) =>
      `The certificate of ${server} is for another host: ${message}. Write a name in the address that it is for.`,
  ],
  [
    /^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/,
    (server, message) =>
      `The certificate of ${server} is not valid at present: ${message}. Renew it there, or check the clock of this machine.`,
  ],
  [
    /^(ERR_TLS|CERT_|SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_)/,
    (server, message) =>
      `The certificate of ${server} is not trusted: ${message}. Name that of its authority: ?sslrootcert=FILE`,
  ],
  [
    /^ERR_INVALID_URL$/,
    () =>
      'The address of the database is not valid: write postgres://user:password@host:5432/database. Characters such as # ' +
      'and / in a name or password are percent-encoded: # as %23, / as %2F.',
  ],
]
