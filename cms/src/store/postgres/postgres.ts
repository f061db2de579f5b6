import type { QueryResult } from 'pg'
import { newId } from '../../base/ids.ts'
import type { Connection, Transaction } from '../database/connection.ts'
import {
  type Database,
  type DatabaseOptions,
  Fence,
  type ReplicaFigures,
  UnusableDatabase,
} from '../database/database.ts'
import type { NewIndex } from '../database/new-index.ts'
import { sql } from '../database/sql.ts'
import type { TablesState } from '../database/tables-state.ts'
import type { Changes } from '../terms/changes.ts'
import { cannotOpen } from './postgres-errors.ts'
import { ExclusiveWork } from './postgres-exclusive.ts'
import { Hosts } from './postgres-hosts.ts'
import { Listener } from './postgres-listener.ts'
import { ANNOUNCING } from './postgres-notifications.ts'
import { type PoolQuery, PostgresPool, settingsOf } from './postgres-pool.ts'
import { Replicas } from './postgres-replicas.ts'
import { assertSchema, connectionPrefix, schemaOf } from './postgres-schema.ts'
import { Statements } from './postgres-statements.ts'
import { Transactions } from './postgres-transactions.ts'

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

class PostgresDatabase implements Database {
  readonly reader: Connection
  readonly primary: Connection
  readonly #exclusive: ExclusiveWork
  readonly #hosts: Hosts
  readonly #pool: PostgresPool
  readonly #replicas: Replicas | null
  readonly #listener: Listener
  readonly #fence: Fence
  readonly #transactions: Transactions
  #isFollowing = false

  constructor(url: string, options: DatabaseOptions) {
    const name = connectionPrefix(ANNOUNCING, schemaOf(url)) + newId()
    const { log, poolSize, onStatement = () => {} } = options
    const whenMoved = () => this.#pool.cutAll()
    const hosts = new Hosts(url, { config: { application_name: name }, log, whenMoved })
    this.#hosts = hosts
    const pool = new PostgresPool(hosts, poolSize, log)
    this.#pool = pool
    const fence = new Fence((version) => options.whenOutdated?.(version))
    this.#fence = fence
    const replicas = replicasOf(options, () => this.#listener)
    this.#replicas = replicas
    const listener = new Listener({
      hosts: listenedHosts(options, hosts, url),
      name,
      log,
      fence,
      isPolling: options.listenAt === 'none',
      whenFrozen: () => pool.cutAll(),
      speak: hasOwnAddress(options) ? (text) => pool.query({ text }) : undefined,
      followers: replicas,
    })
    this.#listener = listener
    const statements = new Statements(onStatement, { areNamed: options.listenAt === undefined })
    this.primary = statements.connection((query) => this.#read(query))
    this.reader =
      replicas === null ? this.primary : statements.connection((query) => this.#readAnywhere(replicas, query))
    const whenDone = () => replicas?.outdated()
    this.#transactions = new Transactions({ pool, statements, fence, listener, log, onStatement, whenDone })
    this.#exclusive = new ExclusiveWork({ url, hosts, pool, log, onStatement, statements })
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

  transaction<T>(work: (connection: Transaction) => Promise<T>): Promise<T> {
    return this.#transactions.run(work)
  }

  snapshot<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return this.#transactions.snapshot(work, { isFenced: this.#isFollowing })
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
}
