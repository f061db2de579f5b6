import { Client, type ClientConfig, Pool, type PoolClient, type QueryConfig, type QueryResult, types } from 'pg'
import { stopping, unavailable } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import { Semaphore, WaitedTooLong } from '../../base/semaphore.ts'
import { driverAddress, givenOptions, timeoutOf } from './postgres-address.ts'
import { hasCollided, isUnanswered, rethrow, rethrowOfConnecting } from './postgres-errors.ts'
import { schemaOf, schemaOption } from './postgres-schema.ts'

/** How long a statement may take, when the address says nothing else. */
const STATEMENT_MILLISECONDS = 15_000
/** How much longer the server may be silent before the connection is given up. */
const SILENT_MILLISECONDS = 3_000
/** How long to wait for a connection. */
const WAIT_MILLISECONDS = 5_000
/** How long to wait for a lock. A row that others wait for, too, is two: the place before all others, and the row. */
const LOCK_MILLISECONDS = 3_000

/** The longest time that a timer takes, and the server. */
const FOREVER = 2 ** 31 - 1

/** Returns the settings of connections; the address may limit statements otherwise: `?statement_timeout=60000`. */
export function settingsOf(url: string): ClientConfig {
  const timeout = timeoutOf(url) ?? STATEMENT_MILLISECONDS
  return {
    connectionString: driverAddress(url),
    statement_timeout: STATEMENT_MILLISECONDS,
    lock_timeout: LOCK_MILLISECONDS,
    idle_in_transaction_session_timeout: STATEMENT_MILLISECONDS,
    connectionTimeoutMillis: WAIT_MILLISECONDS,
    // 0 means no limit, to the server as well.
    query_timeout: timeout > 0 ? Math.min(timeout + SILENT_MILLISECONDS, FOREVER) : 0,
    types: { getTypeParser },
    keepAlive: true,
    keepAliveInitialDelayMillis: SILENT_MILLISECONDS,
    // With less memory (4 MB by default), a search that finds many documents of a million reads several times as many rows.
    // By the keepalives the server notices that the process is gone, and releases its locks.
    options:
      '-c jit=off -c random_page_cost=1.1 -c work_mem=16MB -c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 ' +
      `-c tcp_keepalives_count=3 -c tcp_user_timeout=10000${schemaOption(schemaOf(url))}${givenOptions(url)}`,
  }
}

/** Row numbers and counts are numbers here, not texts. */
function getTypeParser(oid: number, format?: 'text' | 'binary') {
  return oid === types.builtins.INT8 ? Number : types.getTypeParser(oid, format)
}

/** The server that connections lead to. */
export interface Target {
  readonly config: ClientConfig
  /** Throws when a connection that was just made leads to a server that is not to be used. */
  assertUsed(client: ServerClient): void
}

/** A statement as the driver takes it. */
export type PoolQuery = QueryConfig & { readonly query_timeout?: number }

/**
 * The connections to a server. A quarter of them is never given to transactions: reads go on, however many transactions
 * wait for each other. A connection on which the server does not answer is cut.
 */
export class PostgresPool {
  readonly #pool: Pool
  readonly #clients = new Set<PoolClient>()
  readonly #transactions: Semaphore

  constructor(target: Target, size: number, log: Log) {
    this.#transactions = new Semaphore(Math.max(1, size - Math.ceil(size / 4)))
    this.#pool = new Pool({
      ...target.config,
      Client: class extends ServerClient {
        // The server may be another one by now.
        constructor(config?: ClientConfig) {
          super({ ...config, ...target.config })
        }
      },
      max: size,
      pipeline: true,
      // `as`: the pool makes no other clients.
      onConnect: (client) => target.assertUsed(client as ServerClient),
    })
    // A lost connection fails its current statement; the pool then opens another one.
    this.#pool.on('error', (error) => log.warn({ error: error.message }, 'A database connection was lost.'))
    this.#pool.on('connect', (client) => {
      client.on('error', () => {})
      this.#clients.add(client)
    })
    this.#pool.on('remove', (client) => this.#clients.delete(client))
  }

  /** Runs one statement on a connection of its own. */
  async query(query: PoolQuery): Promise<QueryResult> {
    try {
      return await this.#onClient((client) => send(client, query))
    } catch (error) {
      // A migration, which locks all tables, and this statement have waited for each other.
      throw hasCollided(error) ? unavailable('The database is busy. Try again in a moment.', error) : error
    }
  }

  /** Reserves a connection while `work` runs: for a transaction. */
  async withClient<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    try {
      return await this.#transactions.run(() => this.#onClient(work), 1, WAIT_MILLISECONDS)
    } catch (error) {
      throw error instanceof WaitedTooLong ? unavailable('Too many changes at once. Try again in a moment.') : error
    }
  }

  /** Counts the connections in use and idle, and the callers that wait for one. */
  connections(): Readonly<Record<string, number>> {
    const { totalCount, idleCount, waitingCount } = this.#pool
    return { used: totalCount - idleCount, idle: idleCount, waited_for: waitingCount }
  }

  /** Cuts all connections: the server does not answer any more. */
  cutAll(): void {
    for (const client of this.#clients) cut(client)
  }

  async end(): Promise<void> {
    if (!this.#pool.ended) await this.#pool.end()
  }

  /** The driver reads the files that the address names for each connection, and throws where it cannot. */
  async #connect(): Promise<PoolClient> {
    try {
      return await this.#pool.connect()
    } catch (error) {
      rethrowOfConnecting(error)
    }
  }

  async #onClient<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    if (this.#pool.ending) throw stopping()
    const client = await this.#connect()
    try {
      return await work(client)
    } finally {
      client.release(client.connection.stream.destroyed)
    }
  }
}

/** A connection that knows where it leads. */
export class ServerClient extends Client {
  readonly address: string | undefined
  #isOnStandby = false

  constructor(config: ClientConfig) {
    super(config)
    this.address = config.connectionString
    // The driver leaves a connection open at which it cannot sign in, and which would keep the process from ending.
    this.connection.on('error', () => this.connection.stream.destroy())
    this.connection.on('parameterStatus', ({ parameterName, parameterValue }) => {
      if (parameterName === 'in_hot_standby') this.#isOnStandby = parameterValue === 'on'
    })
  }

  /** Whether the server follows another one, and takes no changes. */
  get isOnStandby(): boolean {
    return this.#isOnStandby
  }
}

/** Sends a statement; a connection that does not answer is cut. */
export async function send(client: PoolClient, query: PoolQuery): Promise<QueryResult> {
  try {
    return await client.query(query)
  } catch (error) {
    if (isUnanswered(error)) cut(client)
    rethrow(error)
  }
}

/** Breaks a connection; whatever waits for it fails. */
export function cut(client: PoolClient): void {
  client.connection.stream.destroy()
}
