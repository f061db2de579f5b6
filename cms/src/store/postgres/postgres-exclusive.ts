import { setTimeout as pause } from 'node:timers/promises'
import { Client, type PoolClient } from 'pg'
import type { Log } from '../../base/log.ts'
import type { Connection } from '../database/connection.ts'
import type { NewIndex } from '../database/new-index.ts'
import { joined, literal, type Sql, sql } from '../database/sql.ts'
import type { TablesState } from '../database/tables-state.ts'
import { isLockConflict, refusalOf, rethrow } from './postgres-errors.ts'
import type { Hosts } from './postgres-hosts.ts'
import { Pipeline } from './postgres-pipeline.ts'
import { cut, type PostgresPool, send } from './postgres-pool.ts'
import type { Statements } from './postgres-statements.ts'
import { presentTables, tableNames } from './postgres-tables.ts'

const LOCK = 7_850_113
const START_LOCK = 7_850_114
const TURN_LOCK = 7_850_115
/** How often to ask whether a lock is free. */
const TURN_MILLISECONDS = 100
const FOREVER = 2 ** 31 - 1
const BEGIN_UNLIMITED =
  'begin; set local statement_timeout = 0; set local lock_timeout = 0; set local idle_in_transaction_session_timeout = 0'
const WAITS = 'Another process is preparing the database. This one waits for it.'
/** How long exclusive work waits for others at a time, who then wait for it; and for how long it lets them go on. */
const EXCLUSIVE = { lock: 1_500, retryAfter: 3_000 }
/** Waiting times for work that runs while other processes go on: they are not to notice it. */
const CONCURRENT = { lock: 100, retryAfter: 500 }
const WAITS_FOR_OTHERS = 'The migration waits for what other processes do in the database at present.'

/** The parts that exclusive work on a server needs. */
interface Parts {
  readonly url: string
  readonly hosts: Pick<Hosts, 'config'>
  readonly pool: PostgresPool
  readonly log: Log
  readonly onStatement: (sql: string) => void
  readonly statements: Statements
}

const UNLIMITED = { query_timeout: 0, statement_timeout: 0, lock_timeout: 0 }
const waitAtMost = (milliseconds: number): Sql => sql`set local lock_timeout = ${literal(milliseconds)}`

/** Work that only one of all processes does at a time. */
export class ExclusiveWork {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** See `Database.exclusively`. */
  inTransaction<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return this.#untilFree(work, EXCLUSIVE)
  }

  /** See `Database.briefly`. */
  inBriefTransaction<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return this.#untilFree(async (connection) => {
      await connection.all(waitAtMost(CONCURRENT.lock))
      return work(connection)
    }, CONCURRENT)
  }

  async #untilFree<T>(work: (connection: Connection) => Promise<T>, { retryAfter }: typeof EXCLUSIVE): Promise<T> {
    for (let isFirst = true; ; isFirst = false) {
      try {
        return await this.#parts.pool.withClient((client) => this.#attempt(client, work))
      } catch (error) {
        if (!isLockConflict(error)) throw error
        if (isFirst) this.#parts.log.info({}, WAITS_FOR_OTHERS)
        await pause(retryAfter * (0.5 + Math.random()))
      }
    }
  }

  async #attempt<T>(client: PoolClient, work: (connection: Connection) => Promise<T>): Promise<T> {
    const { url, log, onStatement } = this.#parts
    const connection = this.#parts.statements.connection((query) => send(client, { ...query, query_timeout: FOREVER }))
    const command = (text: string) => {
      onStatement(text)
      return send(client, { text })
    }
    await command('begin')
    try {
      // Neither the wait for other processes nor the work has a time limit.
      await command('set local lock_timeout = 0')
      await command('set local statement_timeout = 0')
      const [lock] = await connection.all<{ isOurs: boolean }>(
        sql`select pg_try_advisory_xact_lock(${LOCK}) as "isOurs"`,
      )
      if (!lock?.isOurs) {
        log.info({}, WAITS)
        await connection.all(sql`select pg_advisory_xact_lock(${LOCK})`)
      }
      const result = await work(connection)
      await new Pipeline(client, onStatement).commit([], false).committed
      return result
    } catch (error) {
      await command('rollback').catch(() => cut(client))
      throw refusalOf(url, error) ?? error
    }
  }

  /** See `Database.shutOut`. */
  async shutOut(connection: Connection, state: TablesState, shared: readonly string[]): Promise<void> {
    const tables = await presentTables(connection, tableNames(state, shared))
    await connection.all(waitAtMost(EXCLUSIVE.lock))
    await connection.all(sql`lock table ${joined(tables)} in access exclusive mode`)
    await connection.all(waitAtMost(0))
  }

  /** See `Database.buildIndex`. On a connection of its own, whose statements have no time limit. */
  async buildIndex(index: NewIndex): Promise<void> {
    const client = new Client({ ...this.#parts.hosts.config, ...UNLIMITED })
    client.on('error', () => {})
    try {
      await client.connect().catch(rethrow)
      const connection = this.#parts.statements.connection((query) => client.query(query).catch(rethrow))
      // What an interrupted attempt has left is of no use.
      const unfinished = await connection.all(
        sql`select 1 from pg_index where indexrelid = to_regclass(${index.name}) and not indisvalid`,
      )
      if (unfinished.length > 0) await connection.all(index.removal(sql`concurrently`))
      await connection.all(index.statement(sql`concurrently`))
    } finally {
      await client.end()
    }
  }

  /** See `Store.startUp`: the work is correct without the lock, which ends with the connection. */
  startUp<T>(work: () => Promise<T>): Promise<T> {
    return this.#holding(START_LOCK, work)
  }

  /** See `Database.inTurn`. With a lock of its own: starts of older programs would wait for it, and concurrent indexes for them. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.#holding(TURN_LOCK, work)
  }

  /**
   * Holds a lock while `work` uses other connections. In a transaction, for which a pooler keeps the connection, and by
   * statements that neither wait nor have values: those would keep a snapshot, for whose end concurrent indexes wait.
   */
  async #holding<T>(lock: number, work: () => Promise<T>): Promise<T> {
    const client = new Client({ ...this.#parts.hosts.config, query_timeout: 0 })
    client.on('error', () => {})
    const isOurs = async () => {
      const { rows } = await client.query(`select pg_try_advisory_xact_lock(${lock}) as ours`).catch(rethrow)
      return rows[0].ours === true
    }
    try {
      await client.connect().catch(rethrow)
      await client.query(BEGIN_UNLIMITED).catch(rethrow)
      for (let isFirst = true; !(await isOurs()); isFirst = false) {
        if (isFirst) this.#parts.log.info({}, WAITS)
        await pause(TURN_MILLISECONDS)
      }
      return await work()
    } finally {
      await client.end()
    }
  }
}
