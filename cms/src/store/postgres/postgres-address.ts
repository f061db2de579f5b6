import { distanceOf } from '../../base/did-you-mean.ts'
import { UnusableDatabase } from '../database/unusable-database.ts'

/** Modes with which the driver encrypts and checks the certificate. It warns of all but `verify-full`. */
const CHECKING = ['allow', 'prefer', 'require', 'verify-ca', 'verify-full']
const UNCHECKED = ['disable', 'no-verify']
const TIMEOUTS = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']
/** The parameters that somebody may have misspelled: all that the guide names. */
const PARAMETERS = ['sslmode', 'sslrootcert', 'schema', 'options', 'target_session_attrs', ...TIMEOUTS]
/** How many letters of a misspelled one may be wrong: other programs have a `pool_timeout`. */
const MOST_WRONG = 2
/** Parameters that the service sets itself: the driver would let those of an address replace them. */
const OWN = ['application_name', 'options']

/**
 * The address of a database for the driver. Every `sslmode` that encrypts checks the certificate, and the name of the
 * host, as `verify-full` does; with `uselibpqcompat=true` it means what PostgreSQL's own programs mean by it. Throws
 * where there is no such mode, or where a parameter is misspelled, which nobody would read.
 */
export function driverAddress(url: string): string {
  const [start = '', ...query] = url.split('?')
  const parameters = query
    .join('?')
    .split('&')
    .filter((parameter) => parameter !== '')
  assertOnce(parameters.map(nameOf))
  for (const parameter of parameters) assertSpelled(nameOf(parameter))
  const kept = parameters.filter((parameter) => !OWN.includes(nameOf(parameter)))
  return withSslMode(kept.length === 0 ? start : `${start}?${kept.join('&')}`)
}

const nameOf = (parameter: string) => parameter.split('=', 1)[0] ?? ''

/** The driver takes the last one, and we the first. */
function assertOnce(names: readonly string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new UnusableDatabase(`The address of the database has ${twice} twice. Leave one.`)
}

function assertSpelled(name: string): void {
  const meant = PARAMETERS.find((parameter) => distanceOf(name, parameter) <= MOST_WRONG)
  if (meant === undefined || meant === name) return
  throw new UnusableDatabase(`The address of the database has ${name}, which nothing reads: did you mean ${meant}?`)
}

function withSslMode(url: string): string {
  const [, mode] = /[?&]sslmode=([^&#]*)/.exec(url) ?? []
  if (mode === undefined || UNCHECKED.includes(mode) || /[?&]uselibpqcompat=true\b/.test(url)) return url
  if (CHECKING.includes(mode)) return url.replace(/([?&]sslmode=)[^&#]*/, '$1verify-full')
  throw new UnusableDatabase(
    `The address of the database has the sslmode “${mode}”. It can be: disable, no-verify, verify-full.`,
  )
}

/** The options of connections that an address gives, to be put behind others: `?options=-c%20work_mem%3D64MB`. */
export function givenOptions(url: string): string {
  const options = URL.parse(url)?.searchParams.get('options')
  return options ? ` ${options}` : ''
}

const LONGEST_TIMEOUT = 2 ** 31 - 1

/**
 * How long an address lets a statement take, in milliseconds; null where it does not say. Throws where one of its limits
 * is no number: the driver would read `60s` as 60 milliseconds.
 */
export function timeoutOf(url: string): number | null {
  const parameters = URL.parse(url)?.searchParams
  for (const name of TIMEOUTS) assertTimeout(name, parameters?.get(name) ?? '0')
  const given = parameters?.get('statement_timeout') ?? null
  return given === null ? null : Number(given)
}

function assertTimeout(name: string, value: string): void {
  if (/^\d{1,10}$/.test(value) && Number(value) <= LONGEST_TIMEOUT) return
  throw new UnusableDatabase(
    `The address of the database has ${name}=${value}. Write milliseconds, from 0 to ${LONGEST_TIMEOUT}: ${name}=60000.`,
  )
}
