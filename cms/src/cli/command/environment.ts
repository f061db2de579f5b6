import { availableParallelism } from 'node:os'
import { withoutPassword } from '../../base/text.ts'
import type { EnvironmentKey } from '../../engine/access/authenticate.ts'
import { isNetwork } from '../../engine/embeds/is-network.ts'
import { isRole, ROLES } from '../../model/terms/roles.ts'
import type { AppOptions } from '../../service.ts'
import { addressesOf, isEncoded, serverOf } from '../../store/database/database-file.ts'
import { UsageError } from './failure.ts'

/** Where the service listens. */
export interface Address {
  readonly port: number
  readonly host: string
}

/** The most processes that serve on one machine. */
const MAX_WORKERS = 128
const DEFAULT_DATABASE = 'sqlite:data/quire.db'

/**
 * The options of the service that come from environment variables. Throws `UsageError` naming a variable that is wrong.
 */
export function appOptions(env: Environment): AppOptions & { readonly keys: readonly EnvironmentKey[] } {
  return {
    database: database(env),
    keys: environmentKeys(env.QUIRE_API_KEYS),
    ...present({
      listenAt: ifSet(env.QUIRE_DATABASE_LISTEN, listenAddress),
      uploads: ifSet(env.QUIRE_UPLOADS, uploadsAddress),
      uploadsUrl: ifSet(env.QUIRE_UPLOADS_URL, (url) => webAddress('QUIRE_UPLOADS_URL', url)),
      uploadsEndpoint: ifSet(uploadsEndpointOf(env), (url) => webAddress('QUIRE_UPLOADS_ENDPOINT', url)),
      frontKey: ifSet(env.QUIRE_EXTERNAL_FRONT_KEY, (key) => longEnough('QUIRE_EXTERNAL_FRONT_KEY', key)),
      staticBaseUrl: ifSet(env.QUIRE_STATIC_BASE_URL, staticBaseUrl),
      purgeToken: ifSet(env.QUIRE_PURGE_TOKEN, purgeToken),
      embedNetworks: ifSet(env.QUIRE_EMBED_NETWORKS, embedNetworks),
      poolSize: numberIn(env, 'QUIRE_POOL_SIZE', 1, 1000),
      cacheBytes: scaled(numberIn(env, 'QUIRE_CACHE_MB', 0, 1_000_000), 1024 * 1024),
      synchronous: ifSet(env.QUIRE_SYNCHRONOUS, synchronous),
      slowStatementMs: numberIn(env, 'QUIRE_SLOW_STATEMENT_MS', 0, 3_600_000),
    }),
    ...timeoutsOf(env),
  }
}

/** The timeouts that environment variables set (QUIRE_STOP_SECONDS, QUIRE_DRAIN_SECONDS), in milliseconds. */
export function timeoutsOf(env: Environment): Pick<AppOptions, 'timeouts'> {
  const timeouts = present({
    close: scaled(numberIn(env, 'QUIRE_STOP_SECONDS', 0, 3600), 1000),
    drain: scaled(numberIn(env, 'QUIRE_DRAIN_SECONDS', 0, 3600), 1000),
  })
  return Object.keys(timeouts).length === 0 ? {} : { timeouts }
}

/** The database that QUIRE_DATABASE names, or an SQLite file in `data/` of the current folder. */
function database(env: Environment): string {
  return trimmed(env.QUIRE_DATABASE) ?? DEFAULT_DATABASE
}

/** The options for replicas, which only a service reads: other commands write, or read what was just written. */
export function replicaOptions(env: Environment): Pick<AppOptions, 'replicas' | 'replicaMaxAge'> {
  const replicas = replicasOf(env)
  return present({
    replicas: replicas.length === 0 ? null : replicas,
    replicaMaxAge: scaled(numberIn(env, 'QUIRE_REPLICA_MAX_AGE', 0, 86_400), 1000),
  })
}

/** The replicas that QUIRE_DATABASE_REPLICAS names, with commas between them. */
function replicasOf(env: Environment): readonly string[] {
  const replicas = (trimmed(env.QUIRE_DATABASE_REPLICAS) ?? '').split(',').flatMap((part) => trimmed(part) ?? [])
  if (replicas.length > 0 && !isServer(database(env))) throw new UsageError(NO_SERVER)
  const wrong = replicas.findIndex((replica) => !isServer(replica) || !isEncoded(replica))
  if (wrong >= 0) throw new UsageError(`QUIRE_DATABASE_REPLICAS, entry ${wrong + 1}: ${WRITE_REPLICA}`)
  if (new Set(replicas.map(serverOf)).size === replicas.length) return replicas
  throw new UsageError('QUIRE_DATABASE_REPLICAS: every replica must be another server.')
}

const isServer = (url: string) => /^postgres(ql)?:/.test(url)
const WRITE_ADDRESS =
  'write postgres://user@host/database. Special characters of a password are percent-encoded: # is %23.'
const WRITE_REPLICA = `write postgres://user@host/database, one address for each server. Special characters of a password are percent-encoded: # is %23.`
const NO_SERVER =
  'QUIRE_DATABASE_REPLICAS names replicas of a PostgreSQL server, but QUIRE_DATABASE names a file: leave the replicas out, or name the server.'

/** Port and host: options first, then PORT and HOST, then localhost:3000. Port 0 is any free one. */
export function address(options: { port?: string | undefined; host?: string | undefined }, env: Environment): Address {
  const port = wholeNumber('--port', options.port, 0, 65_535) ?? numberIn(env, 'PORT', 0, 65_535) ?? 3000
  const host = trimmed(options.host) ?? trimmed(env.HOST) ?? 'localhost'
  // As addresses on the web are written.
  return { port, host: host.replace(/^\[(.*)\]$/, '$1') }
}

/** Where systemd puts the first socket that it hands over. */
const FIRST_SOCKET = 3

/**
 * The socket that systemd, or another parent, already listens on for the process of that id (`LISTEN_FDS`, `LISTEN_PID`):
 * its descriptor; null where there is none. Throws `UsageError` for several.
 */
export function inheritedSocket({ LISTEN_PID, LISTEN_FDS }: Environment, processId: number): number | null {
  if (LISTEN_PID !== String(processId)) return null
  if (LISTEN_FDS === '1') return FIRST_SOCKET
  throw new UsageError(`LISTEN_FDS must be 1, not “${LISTEN_FDS ?? ''}”: the service serves one socket (ListenStream).`)
}

/**
 * Returns the number of serving processes: the option, else QUIRE_WORKERS, else 1; `auto` is one for each processor.
 */
export function workerCount(option: string | undefined, env: Environment): number {
  const [name, given] = trimmed(option) === null ? ['QUIRE_WORKERS', env.QUIRE_WORKERS] : ['--workers', option]
  const value = trimmed(given) ?? '1'
  if (value === 'auto') return availableParallelism()
  const number = /^\d+$/.test(value) ? Number(value) : 0
  if (number >= 1 && number <= MAX_WORKERS) return number
  throw new UsageError(`${name} must be a whole number from 1 to ${MAX_WORKERS}, or auto, not “${value}”.`)
}

/**
 * The port of the metrics that need no key, from QUIRE_METRICS_PORT; null: there is none. Throws `UsageError` where the
 * service itself listens on it.
 */
export function metricsPortOf(env: Environment, servicePort: number | null): number | null {
  const port = numberIn(env, 'QUIRE_METRICS_PORT', 1, 65_535)
  if (port === null || port !== servicePort) return port
  throw new UsageError(`QUIRE_METRICS_PORT must be another port than that of the service, ${port}.`)
}

/** Parses `admin:some-key,editor:other:Name`: role, key and optional name of each. */
export function environmentKeys(text: string | undefined): EnvironmentKey[] {
  if (trimmed(text) === null) return []
  const keys = (text ?? '').split(',').map((part, index) => environmentKey(part.trim(), index + 1))
  if (new Set(keys.map(({ key }) => key)).size < keys.length) {
    throw new UsageError('QUIRE_API_KEYS: every key must be different.')
  }
  assertOneRoleForEachName(keys)
  return keys
}

/** Keys of one name are one caller (`namedActor`), to whom answers are repeated: they must have one role. */
function assertOneRoleForEachName(keys: readonly EnvironmentKey[]): void {
  const roles = new Map(keys.map(({ name, role }) => [name, role]))
  const other = keys.find(({ name, role }) => roles.get(name) !== role)
  if (other === undefined) return
  throw new UsageError(`QUIRE_API_KEYS: keys of several roles are called “${other.name}”. Give each a name of its own.`)
}

function environmentKey(text: string, index: number): EnvironmentKey {
  const [role = '', key = '', name = `${role} key of the environment`, ...rest] = text.split(':')
  const where = `QUIRE_API_KEYS, entry ${index}`
  if (!isRole(role)) {
    throw new UsageError(`${where}: the role must be one of ${ROLES.join(', ')}. Write role:key, as in admin:some-key.`)
  }
  if (key === '' || rest.length > 0) throw new UsageError(`${where}: write role:key or role:key:name.`)
  return { role, key: longEnough(where, key), name }
}

/** The fewest characters of a key that somebody chose, since short ones can be guessed (§5.5). */
export const MIN_KEY_LENGTH = 32

function longEnough(where: string, key: string): string {
  if (key.length >= MIN_KEY_LENGTH) return key
  throw new UsageError(
    `${where}: the key is too short. Use at least ${MIN_KEY_LENGTH} random characters, as from: openssl rand -hex 32`,
  )
}

/** The credential for the cache in front of the site: the value of a header. */
function purgeToken(value: string): string {
  if (/^[\x21-\x7e]+$/.test(value)) return value
  throw new UsageError('QUIRE_PURGE_TOKEN must be letters, digits and signs of ASCII, without spaces.')
}

function uploadsAddress(value: string): string {
  const isBucket = /^s3:\/\/[a-z0-9][a-z0-9.-]*(\/[^?#]*)?$/.test(value)
  if (isBucket || !/^[a-z][a-z0-9+]+:/i.test(value)) return value
  throw new UsageError(
    `QUIRE_UPLOADS must be a folder or an address like s3://bucket/prefix, not “${withoutPassword(value)}”.`,
  )
}

/** A bucket's endpoint; the usual variables of the AWS SDK count too. */
function uploadsEndpointOf(env: Environment): string | null {
  return trimmed(env.QUIRE_UPLOADS_ENDPOINT) ?? trimmed(env.AWS_ENDPOINT_URL_S3) ?? trimmed(env.AWS_ENDPOINT_URL)
}

/** Parses `10.1.0.0/16,fd00::/8`. */
function embedNetworks(value: string): string[] {
  const networks = value.split(',').flatMap((part) => trimmed(part) ?? [])
  const wrong = networks.find((network) => !isNetwork(network))
  if (wrong === undefined) return networks
  throw new UsageError(`QUIRE_EMBED_NETWORKS: “${wrong}” is not a network. Write it as 10.1.0.0/16.`)
}

/** The server behind a pooler, or that nobody can listen to it. */
function listenAddress(value: string): string {
  const isAddress = /^postgres(ql)?:\/\//.test(value)
  if (isAddress && !addressesOf(value).every(isEncoded)) throw new UsageError(`QUIRE_DATABASE_LISTEN: ${WRITE_ADDRESS}`)
  if (isAddress || value === 'none') return value
  throw new UsageError(
    `QUIRE_DATABASE_LISTEN must be the address of PostgreSQL itself (postgres://…) or none, not “${withoutPassword(value)}”.`,
  )
}

function webAddress(name: string, value: string): string {
  if (/^https?:\/\/[^/\s]/.test(value)) return value
  throw new UsageError(`${name} must begin with https:// or http://, not “${withoutPassword(value)}”.`)
}

/** Reads a URL of the site like its own `baseUrl`. */
function staticBaseUrl(value: string): string {
  if (/^https?:\/\/[^/?#\s@]+\/?$/.test(value)) return value
  throw new UsageError(
    `QUIRE_STATIC_BASE_URL must be like https://example.org, not “${withoutPassword(value)}”. What follows the host is the site’s prefix.`,
  )
}

function synchronous(value: string): 'normal' | 'full' {
  if (value === 'normal' || value === 'full') return value
  throw new UsageError(`QUIRE_SYNCHRONOUS must be normal or full, not “${value}”.`)
}

/** Whether each request is logged, as QUIRE_ACCESS_LOG says. */
export function logsRequests(env: Environment, byDefault: boolean): boolean {
  return isOn(env, 'QUIRE_ACCESS_LOG', byDefault)
}

/** Whether a start runs content migrations (§2.14), or is refused while there are any: QUIRE_MIGRATE. */
export function runsMigrations(env: Environment): boolean {
  return isOn(env, 'QUIRE_MIGRATE', true)
}

function isOn(env: Environment, name: string, byDefault: boolean): boolean {
  const value = trimmed(env[name])
  if (value === null) return byDefault
  if (value === '0' || value === '1') return value === '1'
  throw new UsageError(`${name} must be 1 or 0, not “${value}”.`)
}

function numberIn(env: Environment, name: string, min: number, max: number): number | null {
  return wholeNumber(name, env[name], min, max)
}

function wholeNumber(name: string, text: string | undefined, min: number, max: number): number | null {
  const value = trimmed(text)
  if (value === null) return null
  const number = /^\d+$/.test(value) ? Number(value) : Number.NaN
  if (number >= min && number <= max) return number
  throw new UsageError(`${name} must be a whole number from ${min} to ${max}, not “${value}”.`)
}

function trimmed(text: string | null | undefined): string | null {
  return text?.trim() || null
}

/** Reads a text; null for one that is missing or blank. */
function ifSet<T>(text: string | null | undefined, read: (value: string) => T): T | null {
  const value = trimmed(text)
  return value === null ? null : read(value)
}

function scaled(number: number | null, factor: number): number | null {
  return number === null ? null : number * factor
}

/** The values that are not null. */
function present<Values extends object>(values: { readonly [Name in keyof Values]: Values[Name] | null }) {
  // `as`: only properties whose value is null are left out.
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null)) as Partial<Values>
}

/** Names and values, as `process.env`. */
export type Environment = { readonly [name: string]: string | undefined }
