import type { QueryResult } from 'pg'
import { newId } from '../../base/ids.ts'
import type { Connection } from '../database/connection.ts'
import { type Database, type DatabaseOptions, Fence, UnusableDatabase } from '../database/database.ts'
import { sql } from '../database/sql.ts'
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
  const parts = partsOf(url, options)
  const database = databaseOf(parts)
  try {
    await parts.hosts.find()
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

type Parts = ReturnType<typeof partsOf>

/** The parts of a database, none of which has connected yet. */
function partsOf(url: string, options: DatabaseOptions) {
  const { log, poolSize, listenAt, replicas: urls = [], replicaMaxAge: maxAge = 0, onStatement = () => {} } = options
  const name = connectionPrefix(ANNOUNCING, schemaOf(url)) + newId()
  const whenMoved = () => pool.cutAll()
  const hosts = new Hosts(url, { config: { application_name: name }, log, whenMoved })
  const pool = new PostgresPool(hosts, poolSize, log)
  const fence = new Fence((version) => options.whenOutdated?.(version))
  const replicas =
    urls.length === 0 ? null : new Replicas({ urls, maxAge, poolSize, log, primary: (): Listener => listener })
  const isPolling = listenAt === 'none'
  const hasOwnAddress = listenAt !== undefined && !isPolling
  const listener = new Listener({
    hosts: hasOwnAddress
      ? new Hosts(listenAt, { log, config: { application_name: name, options: settingsOf(url).options } })
      : hosts,
    name,
    log,
    fence,
    isPolling,
    whenFrozen: () => pool.cutAll(),
    sendToDatabase: hasOwnAddress ? (text) => pool.query({ text }) : undefined,
    followers: replicas,
  })
  const statements = new Statements(onStatement, { areNamed: listenAt === undefined })
  const whenDone = () => replicas?.outdated()
  const transactions = new Transactions({ pool, statements, fence, listener, log, onStatement, whenDone })
  const exclusive = new ExclusiveWork({ url, hosts, pool, log, onStatement, statements })
  return { hosts, pool, fence, replicas, listener, statements, transactions, exclusive }
}

function databaseOf({ pool, fence, replicas, listener, statements, transactions, exclusive }: Parts): Database {
  let isFollowing = false
  const read = async (query: PoolQuery): Promise<QueryResult> => {
    fence.assertOpen()
    return pool.query(query)
  }
  const readAnywhere = async (from: Replicas, query: PoolQuery): Promise<QueryResult> => {
    fence.assertOpen()
    return (await from.query(query)) ?? read(query).finally(() => from.outdated())
  }
  const primary = statements.connection(read)
  return {
    primary,
    reader: replicas === null ? primary : statements.connection((query) => readAnywhere(replicas, query)),
    transaction: (work) => transactions.run(work),
    snapshot: (work) => transactions.snapshot(work, { isFenced: isFollowing }),
    exclusively: (work) => exclusive.inTransaction(work),
    briefly: (work) => exclusive.inBriefTransaction(work),
    shutOut: (connection, state, tables) => exclusive.shutOut(connection, state, tables),
    buildIndex: (index) => exclusive.buildIndex(index),
    inTurn: (work) => exclusive.inTurn(work),
    startUp: (work) => exclusive.startUp(work),
    changes: () => listener.changes,
    revision: () => listener.revision,
    revocations: () => listener.revocations,
    now: () => listener.clock.now(),
    isCaughtUp: () => listener.isCaughtUp(),
    catchUp: (revision) => listener.catchUp(revision),
    check: () => listener.check(),
    follow: async () => {
      isFollowing = true
      await listener.start()
      replicas?.start()
    },
    connections: () => pool.connections(),
    replicas: () => replicas?.figures() ?? [],
    close: async () => {
      await replicas?.stop()
      await listener.stop()
      await pool.end()
    },
  }
}
