// Longer than other files: one class has the life of a transaction on a server, from its connection to the wait for the
// disk.

import { setTimeout as pause } from 'node:timers/promises'
import type { PoolClient, QueryResult } from 'pg'
import { CmsError, unavailable, unconfirmed } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import type { Log } from '../../base/log.ts'
import type { Connection, Statement, Transaction } from '../database/connection.ts'
import { type Database, type DatabaseOptions, type ReplicaFigures, UnusableDatabase } from '../database/database.ts'
import { Fence } from '../database/fence.ts'
import type { NewIndex } from '../database/new-index.ts'
import { sql } from '../database/sql.ts'
import { stateOf, type TablesState } from '../database/tables-state.ts'
import { TABLES_VERSION } from '../migrations/index.ts'
import { ChangeCollector, type Changes } from '../terms/changes.ts'
import { postgresDialect } from './postgres-dialect.ts'
import { cannotOpen, codeOf, hasCollided } from './postgres-errors.ts'
import { ExclusiveWork } from './postgres-exclusive.ts'
import { holdFence } from './postgres-fence.ts'
import { ANNOUNCING } from './postgres-hearing.ts'
import { Hosts } from './postgres-hosts.ts'
import { ANNOUNCE_REVOCATION, Listener, TABLES_STATE } from './postgres-listener.ts'
import {
  type Commit,
  isFenceGone,
  Pipeline,
  StatementNames,
  sendable,
  statementOf,
  WAIT_ALONE,
  writePlaceholders,
} from './postgres-pipeline.ts'
import { cut, type PoolQuery, PostgresPool, send, settingsOf } from './postgres-pool.ts'
import { Replicas } from './postgres-replicas.ts'
import { assertSchema, connectionPrefix, schemaOf } from './postgres-schema.ts'

const ATTEMPTS = 5
/** After this many changes, and then four times as many each time, the server collects new statistics. */
const FIRST_STATISTICS = 50

/** Opens a database on a server. */
export async function openPostgres(url: string, options: DatabaseOptions): Promise<Database> {
  const database = new PostgresDatabase(url, options)
  try {
    await database.find()
    await assertUsable(database.primary, schemaOf(url))
    return database
  } catch (error) {
    await database.close()
    throw cannotOpen(url, error)
  }
}

/** Other encodings lack characters, and SQL_ASCII counts bytes. */
async function assertUsable(reader: Connection, schema: string | null): Promise<void> {
  const [row] = await reader.all<{ encoding: string; schema: string | null }>(
    sql`select current_setting('server_encoding') as encoding, current_schema() as schema`,
  )
  assertSchema(schema, row?.schema ?? null)
  if (row === undefined || row.encoding === 'UTF8') return
  throw new UnusableDatabase(
    `The database has the encoding ${row.encoding}. Create one with: create database … encoding 'UTF8' template template0`,
  )
}

/** Whether a pooler stands before the database, and changes are heard of elsewhere. */
function hasOwnAddress({ listenAt }: DatabaseOptions): boolean {
  return listenAt !== undefined && listenAt !== 'none'
}

/** The hosts that are listened to: those of the database, or others where a pooler stands before these. */
function listenedHosts({ listenAt, log }: DatabaseOptions, hosts: Hosts, url: string): Hosts {
  if (listenAt === undefined || listenAt === 'none') return hosts
  const { application_name } = hosts.config
  return new Hosts(listenAt, { log, config: { application_name, options: settingsOf(url).options } })
}

function replicasOf(options: DatabaseOptions, primary: () => Listener): Replicas | null {
  const { replicas: urls = [], replicaMaxAge: maxAge = 0, poolSize, log } = options
  return urls.length === 0 ? null : new Replicas({ urls, maxAge, poolSize, log, primary })
}

type SendTo = (query: PoolQuery) => Promise<{ rows: unknown[] }>

class PostgresDatabase implements Database {
  readonly reader: Connection
  readonly primary: Connection
  readonly #exclusive: ExclusiveWork
  readonly #hosts: Hosts
  readonly #pool: PostgresPool
  readonly #replicas: Replicas | null
  readonly #log: Log
  readonly #listener: Listener
  readonly #fence: Fence
  /** Null behind a pooler of transactions: a statement is prepared on one connection, and the next transaction has another. */
  readonly #names: StatementNames | null
  readonly #onStatement: (sql: string) => void
  #mayShareDisk = true
  #isFollowing = false
  #changes = 0
  #nextStatistics = FIRST_STATISTICS

  constructor(url: string, options: DatabaseOptions) {
    const name = connectionPrefix(ANNOUNCING, schemaOf(url)) + newId()
    const { log, poolSize, onStatement = () => {} } = options
    const whenMoved = () => this.#pool.cutAll()
    const hosts = new Hosts(url, { config: { application_name: name }, log, whenMoved })
    this.#hosts = hosts
    this.#onStatement = onStatement
    this.#names = options.listenAt === undefined ? new StatementNames() : null
    this.#log = log
    this.#pool = new PostgresPool(hosts, poolSize, log)
    const fence = new Fence((version) => options.whenOutdated?.(version))
    this.#fence = fence
    const replicas = replicasOf(options, () => this.#listener)
    this.#replicas = replicas
    this.#listener = new Listener({
      hosts: listenedHosts(options, hosts, url),
      name,
      log,
      fence,
      isAsking: options.listenAt === 'none',
      whenFrozen: () => this.#pool.cutAll(),
      speak: hasOwnAddress(options) ? (text) => this.#pool.query({ text }) : undefined,
      followers: replicas,
    })
    this.primary = this.#connection((query) => this.#read(query))
    this.reader = replicas === null ? this.primary : this.#connection((query) => this.#readAnywhere(replicas, query))
    const connection = (sendTo: SendTo) => this.#connection(sendTo)
    this.#exclusive = new ExclusiveWork({ url, hosts, pool: this.#pool, log, onStatement, connection })
  }

  /** Finds out which host takes changes. */
  find(): Promise<void> {
    return this.#hosts.find()
  }

  async #read(query: PoolQuery): Promise<QueryResult> {
    this.#fence.assertOpen()
    return this.#pool.query(query)
  }

  async #readAnywhere(replicas: Replicas, query: PoolQuery): Promise<QueryResult> {
    this.#fence.assertOpen()
    const result = await replicas.query(query)
    return result ?? this.#read(query).finally(() => replicas.outdated())
  }

  async transaction<T>(work: (connection: Transaction) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      this.#fence.assertOpen()
      try {
        return await this.#pool
          .withClient((client) => this.#attempt(client, work))
          .finally(() => this.#replicas?.outdated())
      } catch (error) {
        if (!hasCollided(error)) throw error
        if (attempt === ATTEMPTS) throw unavailable('Too many changes at once. Try again in a moment.')
        await pause(Math.random() * 20 * 2 ** attempt)
      }
    }
  }

  snapshot<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return this.#pool.withClient(async (client) => {
      // A migration may rewrite a table, which is empty then for those who look at it as it was before.
      const held = this.#isFollowing ? holdFence(TABLES_VERSION) : 'lock table meta in access share mode'
      try {
        this.#fence.assertOpen()
        await this.#command(client, `begin isolation level repeatable read read only; ${held}`)
        return await work(this.#connection((query) => send(client, query).finally(() => this.#replicas?.outdated())))
      } catch (error) {
        if (this.#isFollowing && isFenceGone(error))
          await this.#command(client, 'rollback').then(() => this.#closeFence(client))
        throw error
      } finally {
        // Nothing was changed, so a failure does not matter.
        await this.#command(client, 'rollback').catch(() => cut(client))
      }
    })
  }

  exclusively<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return this.#exclusive.inTransaction(work)
  }

  shutOut(connection: Connection, state: TablesState, tables: readonly string[]): Promise<void> {
    return this.#exclusive.shutOut(connection, state, tables)
  }

  briefly<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return this.#exclusive.inBriefTransaction(work)
  }

  buildIndex(index: NewIndex): Promise<void> {
    return this.#exclusive.buildIndex(index)
  }

  inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.#exclusive.inTurn(work)
  }

  startUp<T>(work: () => Promise<T>): Promise<T> {
    return this.#exclusive.startUp(work)
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

  now(): Date {
    return this.#listener.clock.now()
  }

  isCaughtUp(): boolean {
    return this.#listener.isCaughtUp()
  }

  catchUp(revision?: string): Promise<void> {
    return this.#listener.catchUp(revision)
  }

  async follow(): Promise<void> {
    this.#isFollowing = true
    await this.#listener.start()
    this.#replicas?.start()
  }

  replicas(): readonly ReplicaFigures[] {
    return this.#replicas?.figures() ?? []
  }

  connections(): Readonly<Record<string, number>> {
    return this.#pool.connections()
  }

  async close(): Promise<void> {
    await this.#replicas?.stop()
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
      if (pipeline.isShutOut) await this.#closeFence(client)
      // The server may have got the commit, unless it had refused a statement before.
      throw isLost && commit !== null && error instanceof CmsError ? unconfirmed(error) : error
    }
    await this.#untilOnDisk(client, commit)
    return result
  }

  /** Throws: nothing is done any more. */
  async #closeFence(client: PoolClient): Promise<void> {
    const { rows } = await this.#command(client, TABLES_STATE)
    this.#fence.close(stateOf(rows[0]).version)
    this.#fence.assertOpen()
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
   * Makes each commit wait for the disk by itself from now on, if the server does not let this account share the wait.
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

  #connection(sendTo: SendTo): Connection {
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
    const name = isNamed ? this.#names?.of(text) : undefined
    return name === undefined ? query : { ...query, name }
  }
}
