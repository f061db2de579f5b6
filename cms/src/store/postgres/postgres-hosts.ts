import type { ClientConfig } from 'pg'
import type { Log } from '../../base/log.ts'
import { addressesOf } from '../database/database-file.ts'
import { UnusableDatabase } from '../database/unusable-database.ts'
import { hostsOf } from './postgres-errors.ts'
import { SYSTEM } from './postgres-log.ts'
import { ServerClient, settingsOf, type Target } from './postgres-pool.ts'

const LOOK_MILLISECONDS = 1_000
/** How often a server was promoted in its past, as eight digits; null where it takes no changes. */
const TIMELINE = `select case when pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' then null
  else left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) end as timeline`
/** The code of the server for a change that it does not take. */
const READ_ONLY = '25006'
const ATTRIBUTE = 'target_session_attrs'

/** The options of `Hosts`. */
interface HostsOptions {
  /** Common to the connections to all hosts. */
  readonly config?: ClientConfig
  readonly log?: Log
  /** Called when another host than before takes changes. */
  readonly whenMoved?: () => void
}

/**
 * The hosts of a database. Where there are several, or the address asks for one that takes changes, that one is used,
 * and none with an older past than one that was used before, or of another cluster.
 */
export class Hosts implements Target {
  readonly #configs: readonly ClientConfig[]
  readonly #isChoosing: boolean
  readonly #options: HostsOptions
  #config: ClientConfig
  #timeline = ''
  /** The cluster of the host that was used first; null while it is unknown. */
  #system: string | null = null
  #finding: Promise<void> | null = null

  constructor(url: string, options: HostsOptions = {}) {
    const addresses = addressesOf(url)
    const isAsked = asksForPrimary(url)
    this.#configs = addresses.map((address) => ({ ...settingsOf(address), ...options.config }))
    this.#config = this.#configs[0] ?? {}
    this.#isChoosing = isAsked || addresses.length > 1
    this.#options = options
  }

  /** How to connect to the host that takes changes, as far as that is known. */
  get config(): ClientConfig {
    return this.#config
  }

  /** Asks all hosts at once which of them takes changes. Where none does, nothing changes. */
  find(): Promise<void> {
    if (!this.#isChoosing) return Promise.resolve()
    this.#finding ??= this.#find().finally(() => {
      this.#finding = null
    })
    return this.#finding
  }

  async #find(): Promise<void> {
    const found = await Promise.all(this.#configs.map(primaryAt))
    const primaries = found.filter((primary) => primary !== null)
    this.#system ??= onlySystemOf(primaries)
    const own = primaries.filter(({ system }) => system === null || this.#system === null || system === this.#system)
    const newest = own.reduce<Primary | null>((best, one) => (best && best.timeline >= one.timeline ? best : one), null)
    if (newest === null || newest.timeline < this.#timeline) return
    const { config } = newest
    this.#timeline = newest.timeline
    if (config === this.#config) return
    this.#config = config
    this.#options.log?.info({ host: hostsOf(config.connectionString ?? '') }, 'The database is at this host now.')
    this.#options.whenMoved?.()
  }

  assertUsed({ isOnStandby, address }: ServerClient): void {
    if (!this.#isChoosing) return
    if (isOnStandby) throw Object.assign(new Error('it is a standby'), { code: READ_ONLY })
    if (address !== this.#config.connectionString) throw new Error('Connection terminated: another host is used.')
  }
}

/** A host that takes changes. */
interface Primary {
  readonly config: ClientConfig
  readonly timeline: string
  /** The cluster that it is of; null where it does not say so. */
  readonly system: string | null
}

/** The cluster that hosts are of; null where none says so. Throws where they are of several: one of them is not meant. */
function onlySystemOf(primaries: readonly Primary[]): string | null {
  const systems = [...new Set(primaries.flatMap(({ system }) => system ?? []))]
  if (systems.length > 1) throw new UnusableDatabase(SEVERAL_CLUSTERS)
  return systems[0] ?? null
}

const SEVERAL_CLUSTERS =
  'The address of the database names servers of different clusters, which hold different content. Name a primary and the servers that follow it.'

/** Null where a host does not answer, or takes no changes. */
async function primaryAt(config: ClientConfig): Promise<Primary | null> {
  const patience = { connectionTimeoutMillis: LOOK_MILLISECONDS, query_timeout: LOOK_MILLISECONDS }
  try {
    const client = new ServerClient({ ...config, ...patience })
    client.on('error', () => {})
    try {
      await client.connect()
      const timeline = (await client.query(TIMELINE)).rows[0]?.timeline ?? null
      if (timeline === null) return null
      // Not every server knows it, or lets this account know.
      const system = await client.query(SYSTEM).then(
        ({ rows }) => rows[0]?.system ?? null,
        () => null,
      )
      return { config, timeline, system }
    } finally {
      client.connection.stream.destroy()
    }
  } catch {
    return null
  }
}

/** Whether an address asks for a server that takes changes, as a service needs one. */
function asksForPrimary(url: string): boolean {
  const [, value] = new RegExp(`[?&]${ATTRIBUTE}=([^&#]*)`).exec(url) ?? []
  if (value === undefined) return false
  if (value === 'read-write' || value === 'primary') return true
  throw new UnusableDatabase(
    `The address of the database has ${ATTRIBUTE}=${value}. Write read-write: a service needs a server that takes changes.`,
  )
}
