import type { ClientConfig } from 'pg'
import type { Log } from '../../base/log.ts'
import { addressesOf } from '../database/database-file.ts'
import { UnusableDatabase } from '../database/unusable-database.ts'
import { hostsOf } from './postgres-errors.ts'
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
 * and none with an older past than one that was used before.
 */
export class Hosts implements Target {
  readonly #configs: readonly ClientConfig[]
  readonly #isChoosing: boolean
  readonly #options: HostsOptions
  #config: ClientConfig
  #timeline = ''
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
    const timelines = await Promise.all(this.#configs.map(timelineOf))
    const newest = timelines.toSorted().at(-1) ?? ''
    const config = this.#configs[timelines.indexOf(newest)]
    if (newest === '' || newest < this.#timeline || config === undefined) return
    this.#timeline = newest
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

/** Empty where a host does not answer, or takes no changes. */
async function timelineOf(config: ClientConfig): Promise<string> {
  const patience = { connectionTimeoutMillis: LOOK_MILLISECONDS, query_timeout: LOOK_MILLISECONDS }
  try {
    const client = new ServerClient({ ...config, ...patience })
    client.on('error', () => {})
    try {
      await client.connect()
      const { rows } = await client.query(TIMELINE)
      return rows[0]?.timeline ?? ''
    } finally {
      client.connection.stream.destroy()
    }
  } catch {
    return ''
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
