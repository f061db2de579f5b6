import { setTimeout as pause } from 'node:timers/promises'
import { Client, type PoolClient } from 'pg'
import type { Log } from '../../base/log.ts'
import type { Connection } from '../database/connection.ts'
import { joined, literal, sql } from '../database/sql.ts'
import { isInTheWay, refusalOf, rethrow } from './postgres-errors.ts'
import type { Hosts } from './postgres-hosts.ts'
import { Pipeline } from './postgres-pipeline.ts'
import { cut, type PoolQuery, type PostgresPool, send } from './postgres-pool.ts'
import { presentTables, tableNames } from './postgres-tables.ts'

const LOCK = 7_850_113
const START_LOCK = 7_850_114
const FOREVER = 2 ** 31 - 1
const BEGIN_UNLIMITED =
  'begin; set local statement_timeout = 0; set local lock_timeout = 0; set local idle_in_transaction_session_timeout = 0'
const WAITS = 'Another process is preparing the database. This one waits for it.'
/** How long a migration waits for others at a time, who then wait for it; and for how long it lets them go on. */
const [LOCK_MILLISECONDS, LET_GO_MILLISECONDS] = [1_500, 3_000]
const WAITS_FOR_OTHERS = 'The migration waits for what other processes do in the database at present.'

/** The parts that exclusive work on a server needs. */
interface Parts {
  readonly url: string
  readonly hosts: Pick<Hosts, 'config'>
  readonly pool: PostgresPool
  readonly log: Log
  readonly onStatement: (sql: string) => void
  /** A connection that sends statements by a function. */
  connection(sendTo: (query: PoolQuery) => Promise<{ rows: unknown[] }>): Connection
}

class OthersInTheWay extends Error {}

/** Work that only one of all processes does at a time. */
export class ExclusiveWork {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** See `Database.exclusively`. */
  async inTransaction<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    for (let isFirst = true; ; isFirst = false) {
      try {
        return await this.#parts.pool.withClient((client) => this.#attempt(client, work))
      } catch (error) {
        if (!(error instanceof OthersInTheWay)) throw error
        if (isFirst) this.#parts.log.info({}, WAITS_FOR_OTHERS)
        await pause(LET_GO_MILLISECONDS * (0.5 + Math.random()))
      }
    }
  }

  async #attempt<T>(client: PoolClient, work: (connection: Connection) => Promise<T>): Promise<T> {
    const { url, log, onStatement } = this.#parts
    const connection = this.#parts.connection((query) => send(client, { ...query, query_timeout: FOREVER }))
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
  async shutOut(connection: Connection, version: number, shared: readonly string[]): Promise<void> {
    const tables = await presentTables(connection, tableNames(version, shared))
    await connection.all(sql`set local lock_timeout = ${literal(LOCK_MILLISECONDS)}`)
    try {
      await connection.all(sql`lock table ${joined(tables)} in access exclusive mode`)
    } catch (error) {
      throw isInTheWay(error) ? new OthersInTheWay('Others use the tables.', { cause: error }) : error
    }
    await connection.all(sql`set local lock_timeout = 0`)
  }

  /**
   * See `Store.startUp`. On a connection of its own: the work needs those of the pool. In a transaction, for which a pooler
   * keeps the connection.
   */
  async startUp<T>(work: () => Promise<T>): Promise<T> {
    const client = new Client({ ...this.#parts.hosts.config, query_timeout: 0 })
    // The lock ends with the connection; the work is correct without it.
    client.on('error', () => {})
    try {
      await client.connect().catch(rethrow)
      await client.query(BEGIN_UNLIMITED).catch(rethrow)
      const { rows } = await client.query('select pg_try_advisory_xact_lock($1) as ours', [START_LOCK]).catch(rethrow)
      if (!rows[0].ours) {
        this.#parts.log.info({}, WAITS)
        await client.query('select pg_advisory_xact_lock($1)', [START_LOCK]).catch(rethrow)
      }
      return await work()
    } finally {
      await client.end()
    }
  }
}
