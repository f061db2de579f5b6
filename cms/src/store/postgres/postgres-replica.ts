import { setTimeout as pause } from 'node:timers/promises'
import type { QueryResult } from 'pg'
import type { Log } from '../../base/log.ts'
import { isUsableBy } from '../database/tables-state.ts'
import { TABLES_VERSION } from '../migrations/index.ts'
import { hostsOf } from './postgres-errors.ts'
import { type LogPosition, type Past, systemOf } from './postgres-log.ts'
import { type PoolQuery, settingsOf } from './postgres-pool.ts'
import { Standby, type StandbyState } from './postgres-standby.ts'

/** How often a replica is asked how it is, and how soon one that is lost is connected again. */
const [ASK_MILLISECONDS, RETRY_MILLISECONDS] = [250, 250]

/** The primary that a replica is compared with. */
export interface Primary {
  /** Null while it is unknown. */
  readonly past: Past | null
  readonly lastPosition: LogPosition | null
}

/** The options of a replica. */
interface ReplicaOptions {
  readonly url: string
  readonly poolSize: number
  readonly log: Log
  readonly primary: Primary
}

/** A replica of the primary, which is watched: it is left out while it is lost or not fit to be read. */
export class Replica {
  readonly name: string
  readonly #options: ReplicaOptions
  readonly #stopping = new AbortController()
  #standby: Standby | null = null
  #state: StandbyState | null = null
  /** Why it is left out, as the log has it; null where it is not, undefined at first. */
  #refusal: string | null | undefined
  /** The last position that it did not reach in time. */
  #missed = -1
  #currentAt = Number.NEGATIVE_INFINITY
  #reads = 0
  #watching: Promise<void> = Promise.resolve()

  constructor(options: ReplicaOptions) {
    this.#options = options
    this.name = hostsOf(options.url)
  }

  start(): void {
    this.#watching = this.#watch()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#standby?.close()
    await this.#watching
  }

  /** Whether it may be read, and is not known to lag. */
  get isUsable(): boolean {
    const state = this.#state
    return state !== null && this.#missed <= state.position && refusalOf(state, this.#options.primary) === null
  }

  /** How far it has repeated the log of the primary, in bytes, or farther. */
  get position(): number {
    return this.#state?.position ?? -1
  }

  /** How many milliseconds ago, or less, its content was that of the primary. */
  get age(): number {
    return performance.now() - this.#currentAt
  }

  /** How many statements it was sent. */
  get reads(): number {
    return this.#reads
  }

  /** Waits until it has repeated the log up to a position, or a time on the clock of `performance`: then false. */
  async reaches(position: number, until: number): Promise<boolean> {
    while (this.isUsable && this.position < position) {
      if (performance.now() > until) this.#missed = position
      else await this.#ask(position)
    }
    return this.isUsable
  }

  async query(query: PoolQuery): Promise<QueryResult> {
    if (this.#standby === null) throw new Error('The replica is not connected.')
    this.#reads += 1
    return this.#standby.query(query)
  }

  /** Asks it how far it is, and waits a little where that is not far enough. */
  async #ask(position: number): Promise<void> {
    const standby = this.#standby
    if (standby === null) return
    // `#watch` notices that it is lost.
    const state = await standby.ask().catch(() => null)
    if (state !== null && this.#standby === standby) this.#hear(state)
    if (this.position < position) await pause(1)
  }

  async #watch(): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      await this.#followed().catch((error: Error) => this.#refuse(`it does not answer (${error.message})`))
      await pause(RETRY_MILLISECONDS, undefined, { ref: false, signal }).catch(() => {})
    }
  }

  /** Connects to it, and asks it from time to time until it is lost. Throws then. */
  async #followed(): Promise<never> {
    const { url, poolSize, log } = this.#options
    const standby = await Standby.connect(settingsOf(url), poolSize, log)
    try {
      for (;;) {
        const state = await standby.ask()
        this.#stopping.signal.throwIfAborted()
        this.#standby = standby
        this.#hear(state)
        await standby.rest(ASK_MILLISECONDS)
      }
    } finally {
      // After a restart it may begin with an older state.
      this.#standby = null
      this.#state = null
      this.#missed = -1
      await standby.close()
    }
  }

  #hear(state: StandbyState): void {
    const { past, lastPosition } = this.#options.primary
    this.#state = state
    const refusal = refusalOf(state, this.#options.primary)
    if (past !== null) this.#refuse(refusal)
    if (refusal !== null || lastPosition === null || state.position < lastPosition.bytes) return
    this.#currentAt = lastPosition.askedAt
  }

  #refuse(refusal: string | null): void {
    const { log } = this.#options
    if (this.#stopping.signal.aborted || refusal === this.#refusal) return
    this.#refusal = refusal
    if (refusal === null) log.info({ replica: this.name }, 'A replica of the database is read.')
    else log.warn({ replica: this.name, reason: refusal }, 'A replica of the database is left out.')
  }
}

/** Why a server cannot be read in the place of the primary; null where it can. */
export function refusalOf(
  { isStandby, system, tables, lineage, place }: StandbyState,
  { past }: Primary,
): string | null {
  if (!isStandby) return 'it is no standby, but takes changes itself'
  if (past === null) return 'the primary is not known'
  if (system !== systemOf(past.lineage)) return 'it is of another cluster than the primary'
  if (tables === null) return 'its database has no tables'
  if (!isUsableBy(TABLES_VERSION, tables)) return `its tables are at version ${tables.version}, not ${TABLES_VERSION}`
  if (place !== past.place) return 'its address names another database, or schema, than that of the primary'
  return lineage === past.lineage ? null : 'it does not follow this primary, or has not got so far'
}
