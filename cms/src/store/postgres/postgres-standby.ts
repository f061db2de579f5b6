import { setTimeout as pause } from 'node:timers/promises'
import { Client, type ClientConfig, type QueryResult } from 'pg'
import type { Log } from '../../base/log.ts'
import { STATE_COLUMNS, stateOf, type TablesState } from '../database/tables-state.ts'
import { LINEAGE, PLACE, SYSTEM } from './postgres-log.ts'
import { type PoolQuery, PostgresPool } from './postgres-pool.ts'

/** How long a standby may be silent, and how long a connection to it may take. */
const [SILENT_MILLISECONDS, CONNECT_MILLISECONDS] = [600, 1_000]
const STATE = `select pg_is_in_recovery() as "isStandby",
  pg_wal_lsn_diff(coalesce(pg_last_wal_replay_lsn(), '0/0'), '0/0')::float8 as position,
  ${STATE_COLUMNS}, (${LINEAGE}) as lineage, ${PLACE} as place`

/** The state of a standby, by its own account. */
export interface StandbyState {
  readonly isStandby: boolean
  /** How far it has repeated the log of the primary, in bytes. */
  readonly position: number
  /** Null where it has none. */
  readonly tables: TablesState | null
  readonly lineage: string | null
  readonly place: string
  readonly system: string
}

/** A server that may be a standby, from when it was connected until it is lost. */
export class Standby {
  readonly #client: Client
  readonly #pool: PostgresPool
  readonly #lost = new AbortController()
  readonly #system: string
  #asking: Promise<StandbyState> | null = null

  private constructor(client: Client, pool: PostgresPool, system: string) {
    this.#client = client
    this.#pool = pool
    this.#system = system
    client.on('end', () => this.#lost.abort())
  }

  /** Connects to it. Throws where that takes longer than a second. */
  static async connect(settings: ClientConfig, poolSize: number, log: Log): Promise<Standby> {
    const config = { ...settings, connectionTimeoutMillis: CONNECT_MILLISECONDS }
    const client = new Client({ ...config, query_timeout: SILENT_MILLISECONDS })
    client.on('error', () => {})
    try {
      await client.connect()
      const { rows } = await client.query(SYSTEM)
      const pool = new PostgresPool({ config, assertUsed: () => {} }, poolSize, log)
      return new Standby(client, pool, rows[0].system)
    } catch (error) {
      client.connection.stream.destroy()
      throw error
    }
  }

  /** Asks it how it is; those who ask at once share an answer. It is lost where it does not answer. */
  ask(): Promise<StandbyState> {
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = null
    })
    return this.#asking
  }

  async #ask(): Promise<StandbyState> {
    try {
      const { oldest, version, ...state } = (await this.#client.query(STATE)).rows[0]
      return { ...state, tables: oldest === null ? null : stateOf({ oldest, version }), system: this.#system }
    } catch (error) {
      this.#client.connection.stream.destroy()
      throw error
    }
  }

  /** Waits, and throws as soon as it is lost. */
  async rest(milliseconds: number): Promise<void> {
    await pause(milliseconds, undefined, { ref: false, signal: this.#lost.signal }).catch(() => {
      throw new Error('the connection was lost')
    })
  }

  query(query: PoolQuery): Promise<QueryResult> {
    return this.#pool.query(query)
  }

  /** Breaks all connections: what waits for them fails. */
  async close(): Promise<void> {
    this.#client.connection.stream.destroy()
    this.#pool.cutAll()
    await this.#pool.end()
  }
}
