// Longer than other files: one class has the life of a transaction on a server, from its connection to the wait for the
// disk.

import { setTimeout as pause } from 'node:timers/promises'
import { Client, type ClientConfig, type PoolClient } from 'pg'
import { CmsError, unavailable, unconfirmed } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import type { Log } from '../../base/log.ts'
import type { Connection, Statement, Transaction } from '../database/connection.ts'
import { type Database, type DatabaseOptions, UnusableDatabase } from '../database/database.ts'
import { sql } from '../database/sql.ts'
import { ChangeCollector, type Changes } from '../terms/changes.ts'
import { postgresDialect } from './postgres-dialect.ts'
import { cannotOpen, codeOf, hasCollided, refusalOf, rethrow } from './postgres-errors.ts'
import { ANNOUNCE_REVOCATION, ANNOUNCING, Listener } from './postgres-listener.ts'
import {
  type Commit,
  Pipeline,
  StatementNames,
  sendable,
  statementOf,
  WAIT_ALONE,
  writePlaceholders,
} from './postgres-pipeline.ts'
import { cut, type PoolQuery, PostgresPool, send, settingsOf } from './postgres-pool.ts'

const ATTEMPTS = 5
/** After this many changes, and then four times as many each time, the server collects new statistics. */
const FIRST_STATISTICS = 50
const LOCK = 7_850_113
const START_LOCK = 7_850_114
const FOREVER = 2 ** 31 - 1
const WAITS = 'Another process is preparing the database. This one waits for it.'

/** Opens a database on a server. */
export async function openPostgres(url: string, options: DatabaseOptions): Promise<Database> {
  const database = new PostgresDatabase(url, options)
  try {
    await assertEncoding(database.reader)
    return database
  } catch (error) {
    await database.close()
    throw cannotOpen(url, error)
  }
}

/** Other encodings lack characters, and SQL_ASCII counts bytes. */
async function assertEncoding(reader: Connection): Promise<void> {
  const [row] = await reader.all<{ encoding: string }>(sql`select current_setting('server_encoding') as encoding`)
  if (row === undefined || row.encoding === 'UTF8') return
  throw new UnusableDatabase(
    `The database has the encoding ${row.encoding}. Create one with: create database … encoding 'UTF8' template template0`,
  )
}

class PostgresDatabase implements Database {
  readonly reader: Connection
  readonly #url: string
  readonly #config: ClientConfig
  readonly #pool: PostgresPool
  readonly #log: Log
  readonly #listener: Listener
  readonly #names = new StatementNames()
  readonly #onStatement: (sql: string) => void
  #mayShareDisk = true
  #changes = 0
  #nextStatistics = FIRST_STATISTICS

  constructor(url: string, options: DatabaseOptions) {
    const name = `${ANNOUNCING}${newId()}`
    const config: ClientConfig = {
      ...settingsOf(url),
      application_name: name,
    }
    this.#url = url
    this.#config = config
    this.#onStatement = options.onStatement ?? (() => {})
    this.#log = options.log
    this.#pool = new PostgresPool(config, options.poolSize, options.log)
    this.#listener = new Listener({ config, name, log: options.log, whenFrozen: () => this.#pool.cutAll() })
    this.reader = this.#connection((query) => this.#pool.query(query))
  }

  async transaction<T>(work: (connection: Transaction) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#pool.withClient((client) => this.#attempt(client, work))
      } catch (error) {
        if (!hasCollided(error)) throw error
        if (attempt === ATTEMPTS) throw unavailable('Too many changes at once. Try again in a moment.')
        await pause(Math.random() * 20 * 2 ** attempt)
      }
    }
  }

  snapshot<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return this.#pool.withClient(async (client) => {
      await this.#command(client, 'begin isolation level repeatable read read only')
      try {
        return await work(this.#connection((query) => send(client, query)))
      } finally {
        // Nothing was changed, so it does not matter how it ends.
        await this.#command(client, 'rollback').catch(() => cut(client))
      }
    })
  }

  exclusively<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return this.#pool.withClient(async (client) => {
      const connection = this.#connection((query) => send(client, { ...query, query_timeout: FOREVER }))
      await this.#command(client, 'begin')
      try {
        // Neither the wait for other processes nor the work has a time limit.
        await this.#command(client, 'set local lock_timeout = 0')
        await this.#command(client, 'set local statement_timeout = 0')
        const [lock] = await connection.all<{ isOurs: boolean }>(
          sql`select pg_try_advisory_xact_lock(${LOCK}) as "isOurs"`,
        )
        if (!lock?.isOurs) {
          this.#log.info({}, WAITS)
          await connection.all(sql`select pg_advisory_xact_lock(${LOCK})`)
        }
        const result = await work(connection)
        await new Pipeline(client, this.#onStatement).commit([], false).committed
        return result
      } catch (error) {
        await this.#command(client, 'rollback').catch(() => cut(client))
        throw refusalOf(this.#url, error) ?? error
      }
    })
  }

  /** On a connection of its own: the work needs those of the pool. */
  async startUp<T>(work: () => Promise<T>): Promise<T> {
    const client = new Client({ ...this.#config, query_timeout: 0 })
    // The lock ends with the connection; the work is correct without it.
    client.on('error', () => {})
    try {
      await client.connect().catch(rethrow)
      await client.query('set statement_timeout = 0').catch(rethrow)
      await client.query('set lock_timeout = 0').catch(rethrow)
      const { rows } = await client.query('select pg_try_advisory_lock($1) as ours', [START_LOCK]).catch(rethrow)
      if (!rows[0].ours) {
        this.#log.info({}, WAITS)
        await client.query('select pg_advisory_lock($1)', [START_LOCK]).catch(rethrow)
      }
      return await work()
    } finally {
      await client.end()
    }
  }

  changes(): Changes | null {
    return this.#listener.changes
  }

  revision(): string | null {
    return this.#listener.revision
  }

  revocations(): string | null {
    return this.#listener.revocations
  }

  isCaughtUp(): boolean {
    return this.#listener.isCaughtUp()
  }

  catchUp(revision?: string): Promise<void> {
    return this.#listener.catchUp(revision)
  }

  follow(): Promise<void> {
    return this.#listener.start()
  }

  connections(): Readonly<Record<string, number>> {
    return this.#pool.connections()
  }

  async close(): Promise<void> {
    await this.#listener.stop()
    await this.#pool.end()
  }

  /** Checks that the server answers, on a connection of its own. */
  check(): Promise<void> {
    return this.#listener.check()
  }

  async #attempt<T>(client: PoolClient, work: (connection: Transaction) => Promise<T>): Promise<T> {
    const collector = new ChangeCollector()
    const pipeline = new Pipeline(client, this.#onStatement)
    let hasRevoked = false
    const plain = this.#connection((query) => pipeline.send(query))
    const connection: Transaction = {
      ...plain,
      varied: (statement) => {
        pipeline.planForValues()
        return plain.varied(statement)
      },
      send: async (statement) => pipeline.sendAhead(this.#queryOf(statementOf(statement))),
      changed: (announcement) => collector.add(announcement),
      credentialsRevoked: () => {
        hasRevoked = true
      },
    }
    let commit: Commit | null = null
    let result: T
    try {
      pipeline.begin()
      result = await work(connection)
      const { change } = collector
      const announcements = [
        ...(hasRevoked ? [ANNOUNCE_REVOCATION] : []),
        ...(change === undefined ? [] : [this.#listener.announcementOf(change)]),
      ]
      commit = pipeline.commit(announcements, this.#mayShareDisk && announcements.length > 0)
      await commit.committed
      if (hasRevoked) this.#listener.revoked()
      if (change !== undefined) this.#listener.changed(change)
      this.#keepStatistics()
    } catch (error) {
      const isLost = await this.#command(client, 'rollback').then(
        () => false,
        () => true,
      )
      if (isLost) cut(client)
      if (isLost && collector.change !== undefined) this.#listener.changedPerhaps()
      // The server may have got the commit, unless it had refused a statement before.
      throw isLost && commit !== null && error instanceof CmsError ? unconfirmed(error) : error
    }
    await this.#untilOnDisk(client, commit)
    return result
  }

  /** A commit stays, whether or not the wait for the disk succeeds. */
  async #untilOnDisk(client: PoolClient, { onDisk }: Commit): Promise<void> {
    try {
      await onDisk.catch((error) => this.#waitAlone(client, error))
    } catch (error) {
      cut(client)
      throw unconfirmed(error)
    }
  }

  #keepStatistics(): void {
    this.#changes += 1
    if (this.#changes < this.#nextStatistics) return
    this.#nextStatistics *= 4
    // The server does this by itself, but late: until then it plans as if the tables were empty.
    this.#pool.query({ text: 'analyze documents, entries, search, versions' }).catch((error: Error) => {
      this.#log.warn(
        { error: error.message },
        'The database could not take statistics; lists may be slower for a while.',
      )
    })
  }

  /**
   * Where the server does not let this account share the wait for the disk, each commit waits by itself from now on.
   */
  async #waitAlone(client: PoolClient, error: unknown): Promise<void> {
    if (!/^42/.test(codeOf(error instanceof CmsError ? error.cause : error))) throw error
    this.#mayShareDisk = false
    await this.#command(client, WAIT_ALONE)
  }

  #command(client: PoolClient, text: string) {
    this.#onStatement(text)
    return send(client, { text })
  }

  #connection(sendTo: (query: PoolQuery) => Promise<{ rows: unknown[] }>): Connection {
    // `as`: a statement declares the type of its rows.
    const rows = async <Row>(query: PoolQuery) => (await sendTo(query)).rows as Row[]
    return {
      dialect: postgresDialect,
      all: (query) => rows(this.#queryOf(statementOf(query))),
      varied: (query) => rows(this.#queryOf(statementOf(query), false)),
      fixed: (query, values) => rows(this.#queryOf(query.statement(postgresDialect, writePlaceholders, values))),
    }
  }

  /** A statement as the driver takes it; called when it is sent. */
  #queryOf({ text, parameters }: Statement, isNamed = true): PoolQuery {
    this.#onStatement(text)
    const query = { text, values: parameters.map(sendable) }
    const name = isNamed ? this.#names.of(text) : undefined
    return name === undefined ? query : { ...query, name }
  }
}
