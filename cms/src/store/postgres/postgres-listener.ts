import type { Client } from 'pg'
import { unavailable } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import { endsWithin } from '../../base/patience.ts'
import type { Fence } from '../database/database.ts'
import { isUsableBy, stateOf, TABLES_STATE, type TablesState } from '../database/tables-state.ts'
import { TABLES_VERSION } from '../migrations/index.ts'
import { type Change, Changes } from '../terms/changes.ts'
import { ServerClock } from './postgres-clock.ts'
import { isUnanswered } from './postgres-errors.ts'
import { FailureLog, listen, type SendStatement } from './postgres-hearing.ts'
import type { Hosts } from './postgres-hosts.ts'
import type { LogFollowers, LogPosition } from './postgres-log.ts'
import { announcementOf, endQuickly, listeningClient, type Notification } from './postgres-notifications.ts'
import { Polling, ping, type State } from './postgres-polling.ts'

/** How often the connection is pinged. */
const PING_MILLISECONDS = 250
/** How far cached answers may lag behind the commits of other processes. */
const BEHIND_MILLISECONDS = 25
/** After this time the server is pinged again while requests come, so that they need not wait for it. */
const EARLY_MILLISECONDS = 10
/** How long the state may be used after it was last known to be current. */
const RELIABLE_MILLISECONDS = 1_000
/** How long the server may be silent before it is said not to answer. */
const PATIENCE_MILLISECONDS = 3_000

/** The options of a listener. */
interface ListenerOptions {
  readonly hosts: Pick<Hosts, 'config' | 'find'>
  /** The name under which this process announces changes. */
  readonly name: string
  readonly log: Log
  /** Notifications do not arrive here: the server is asked what has changed. */
  readonly isPolling: boolean
  /** Closed when the tables turn out to be at another version. */
  readonly fence: Fence
  /** Called when the server has not answered for seconds. */
  readonly whenFrozen: () => void
  /** Where the listener connects to another address: sends a statement to the database that it listens to. */
  readonly sendToDatabase?: SendStatement | undefined
  /** The replicas, which follow the log of the server. */
  readonly followers?: LogFollowers | null
}

/**
 * Listens for the changes of other processes, which arrive a few milliseconds after their commit. A connection can die
 * silently: after a second without an answer it is unknown what has changed.
 */
export class Listener {
  /** The clock of the server. */
  readonly clock = new ServerClock()
  readonly #options: ListenerOptions
  readonly #name: string
  readonly #fence: Fence
  readonly #polling: Polling | null
  readonly #changes = new Changes()
  #revoked = 0
  #hearsItself = false
  /** The connection that listens; null while there is none. */
  #client: Client | null = null
  #connecting: Client | null = null
  /** All commits up to this time are known; on the clock of `performance`. */
  #heardUntil = Number.NEGATIVE_INFINITY
  #position: LogPosition | null = null
  /** When the server answered last, whenever it was asked. */
  #answeredAt = Number.NEGATIVE_INFINITY
  #isStopped = false
  #timer: NodeJS.Timeout | undefined
  #ping: Promise<void> | null = null
  readonly #failures: FailureLog

  constructor(options: ListenerOptions) {
    this.#options = options
    this.#failures = new FailureLog(options.log)
    this.#name = options.name
    this.#fence = options.fence
    this.#polling = options.isPolling ? new Polling() : null
  }

  get revision(): string | null {
    return this.#isReliable() ? `${this.#name}.${this.#changes.now}` : null
  }

  get changes(): Changes | null {
    return this.#isReliable() ? this.#changes : null
  }

  get revocations(): string | null {
    return this.#isReliable() ? String(this.#revoked) : null
  }

  /** The statement that announces to all processes, with the commit, what it changes. */
  announcementOf(change: Change | null): string {
    return announcementOf(this.#name, change)
  }

  /** Announces a change that this process has committed; null for anything. */
  changed(change: Change | null): void {
    this.#changes.note(change)
    this.#options.followers?.outdated()
  }

  revoked(): void {
    this.#revoked += 1
  }

  /** The last position that the server has named; null while it is unknown. */
  get lastPosition(): LogPosition | null {
    return this.#position
  }

  /** How far the log goes, asked after the call: all commits that were heard of are in it. Null where it is unknown. */
  async position(): Promise<number | null> {
    const client = this.#client
    const now = performance.now()
    if (client === null) return null
    // A ping on its way may have left too early.
    await this.#ping
    if (this.#heardUntil < now) await this.#askAgain(client)
    return this.#position !== null && this.#position.askedAt >= now ? this.#position.bytes : null
  }

  /** The answer to a commit was lost, and it may still happen: from now on, our own notifications count, too. */
  mayHaveChanged(): void {
    this.#hearsItself = true
    this.changed(null)
  }

  /** Missing notifications prove nothing: on a busy machine they may be late. The answer to a ping proves it. */
  isCaughtUp(): boolean {
    const age = performance.now() - this.#heardUntil
    if (age > EARLY_MILLISECONDS && this.#client !== null) void this.#askAgain(this.#client)
    return age < BEHIND_MILLISECONDS && !this.#fence.isOutdated
  }

  /** Resolves when all commits up to the call, or up to some milliseconds ago, are known; or when none is relied on. */
  async catchUp(revision?: string): Promise<void> {
    this.#fence.assertOpen()
    // Notifications heard before are not relied on then, and the database is asked instead.
    await endsWithin(RELIABLE_MILLISECONDS, this.#hearUntil(revision))
    this.#fence.assertOpen()
  }

  async #hearUntil(revision: string | undefined): Promise<void> {
    const client = this.#client
    const until = performance.now() - (revision === undefined ? BEHIND_MILLISECONDS : 0)
    if (client === null || revision?.startsWith(`${this.#name}.`) || this.#heardUntil >= until) return
    // A ping on its way may have left too early.
    await this.#ping
    if (this.#heardUntil < until) await this.#askAgain(client)
  }

  /**
   * Throws `unavailable` when the server has not answered for seconds. When it was asked does not matter: the way to it
   * may be long, and this process busy.
   */
  async check(): Promise<void> {
    const client = this.#client
    if (client !== null && !this.#hasAnswered()) await this.#askAgain(client)
    this.#fence.assertOpen()
    if (!this.#hasAnswered()) throw unavailable('The database does not answer. Try again in a moment.')
  }

  #hasAnswered(): boolean {
    return performance.now() - this.#answeredAt < PATIENCE_MILLISECONDS
  }

  async start(failures = 0): Promise<void> {
    let client: Client | null = null
    try {
      await this.#options.hosts.find()
      if (this.#isStopped) return
      client = this.#newClient()
      this.#connecting = client
      await client.connect()
      const askedAt = performance.now()
      if (this.#polling === null) await listen(client, this.#options.sendToDatabase)
      await this.#options.followers?.connected(client)
      await this.#pingServer(client)
      // While there was no connection, another program may have migrated the database.
      const { rows } = await client.query(TABLES_STATE)
      if (this.#isStopped || this.#connecting !== client) return
      this.#connecting = null
      this.#client = client
      this.#failures.reset()
      this.changed(null)
      this.revoked()
      this.#heardUntil = askedAt
      this.#answeredAt = performance.now()
      this.#hearTables(stateOf(rows[0]))
      this.#watch(client)
    } catch (error) {
      if (!this.#isStopped) this.#failures.log(error)
      this.#lost(client, failures + 1)
    }
  }

  #newClient(): Client {
    return listeningClient(this.#options.hosts.config, (client) => ({
      heard: (notification) => this.#hear(client, notification),
      ended: () => this.#lost(client, 0),
    }))
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#answeredAt = Number.NEGATIVE_INFINITY
    clearTimeout(this.#timer)
    const clients = [this.#client, this.#connecting].filter((client) => client !== null)
    this.#client = null
    this.#connecting = null
    // A connection that cannot even be ended is gone already.
    await Promise.all(clients.map(endQuickly))
  }

  #hear(client: Client, notification: Notification): void {
    if (notification.of === 'tables') void this.#askTables(client).catch(() => this.#lost(client, 0))
    else if (notification.of === 'revocation') this.revoked()
    else if (notification.by !== this.#name || this.#hearsItself) this.changed(notification.change)
  }

  #hearTables(tables: TablesState): void {
    if (!isUsableBy(TABLES_VERSION, tables)) this.#fence.close(tables.version)
  }

  async #askTables(client: Client): Promise<void> {
    const { rows } = await client.query(TABLES_STATE)
    this.#hearTables(stateOf(rows[0]))
  }

  #hearState({ time, tables, hasChanged }: State, askedAt: number): void {
    this.clock.hear(time, askedAt, Date.now())
    this.#hearTables(tables)
    if (!hasChanged) return
    this.changed(null)
    this.revoked()
  }

  #isReliable(): boolean {
    return (
      !this.#fence.isOutdated && this.#client !== null && performance.now() - this.#heardUntil < RELIABLE_MILLISECONDS
    )
  }

  #watch(client: Client): void {
    this.#timer = setTimeout(async () => {
      await this.#askAgain(client)
      if (this.#client === client) this.#watch(client)
    }, PING_MILLISECONDS).unref()
  }

  /** The server sends pending notifications before its answer. Concurrent callers share one ping. */
  #askAgain(client: Client): Promise<void> {
    this.#ping ??= this.#ask(client).finally(() => {
      this.#ping = null
    })
    return this.#ping
  }

  async #ask(client: Client): Promise<void> {
    const askedAt = performance.now()
    try {
      const position = await this.#pingServer(client)
      this.#answeredAt = performance.now()
      if (this.#client !== client) return
      this.#heardUntil = askedAt
      this.#position = position === null ? null : { bytes: position, askedAt }
    } catch (error) {
      if (isUnanswered(error) && this.#client === client) this.#options.whenFrozen()
      this.#lost(client, 0)
    }
  }

  /** Pings the server, or asks it what has changed. Returns how far its log goes, where replicas follow it. */
  async #pingServer(client: Client): Promise<number | null> {
    const before = Date.now()
    if (this.#polling !== null) this.#hearState(await this.#polling.ask(client), before)
    const isFollowed = Boolean(this.#options.followers)
    if (!isFollowed && this.#polling !== null) return null
    const { time, position } = await ping(client, isFollowed)
    this.clock.hear(time, before, Date.now())
    return position
  }

  /** `client` is null where none could be made. */
  #lost(client: Client | null, failures: number): void {
    if (this.#isStopped || (client !== this.#client && client !== this.#connecting)) return
    if (failures === 0) this.#options.log.warn({}, 'No longer hearing of changes by other processes; reconnecting.')
    this.#client = null
    this.#connecting = null
    this.#position = null
    if (client !== null) void endQuickly(client)
    clearTimeout(this.#timer)
    const delay = Math.min(100 * 2 ** failures, 1000)
    this.#timer = setTimeout(() => void this.start(failures), delay).unref()
  }
}
