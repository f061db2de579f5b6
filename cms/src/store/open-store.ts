// Longer than other files: it is where a store is put together of its database, its readers and its records.

import { AsyncLocalStorage } from 'node:async_hooks'
import type { Log } from '../base/log.ts'
import type { Metrics } from '../base/metrics.ts'
import {
  trackedAttachments,
  trackedDocuments,
  trackedTree,
  trackedVersions,
  untracked,
  withLists,
} from './changes/dependencies.ts'
import type { Store, StoreReader } from './contract/store.ts'
import type { Connection } from './database/connection.ts'
import { type Database, type DatabaseOptions, type Inspection, UnusableDatabase } from './database/database.ts'
import { databaseFile } from './database/database-file.ts'
import { DatabaseWatch } from './database/database-watch.ts'
import { databaseMetrics } from './database/figures.ts'
import { SqlAttachmentReader } from './documents/attachment-reader.ts'
import { SqlDocumentReader } from './documents/document-reader.ts'
import { SqlLocaleReader } from './documents/locale-reader.ts'
import { TABLES_VERSION } from './migrations/index.ts'
import { checkTables, migrateTables } from './migrations/migrate.ts'
import { PurgeRecords } from './records/purge-records.ts'
import { SettingRecords } from './records/setting-records.ts'
import { SqlRecords } from './sql-records.ts'
import { openSqlite } from './sqlite/sqlite.ts'
import { inspectSqlite, replaceFile } from './sqlite/sqlite-maintenance.ts'
import { tablesAt } from './sqlite/sqlite-tables.ts'
import type { Changes } from './terms/changes.ts'
import { type StoredForm, UNCHANGED } from './terms/stored-form.ts'
import { write } from './transaction-writer.ts'
import { SqlTreeReader } from './tree/tree-reader.ts'
import { SqlVersionReader } from './versions/version-reader.ts'

export { tablesAt }

/** Loads PostgreSQL and its driver only where they are used. */
const postgres = () => import('./postgres/index.ts')

/** How to open a store. */
export interface OpenOptions extends Omit<Partial<DatabaseOptions>, 'log' | 'whenOutdated'> {
  readonly log: Log
  /** False: only checks that the tables are up to date. */
  readonly migrate?: boolean
  /** Converts between stored content and the fields of documents; when left out, fields are stored unchanged. */
  readonly form?: StoredForm
  /**
   * Whether each commit records what it changes, for a cache in front of the site (§6.8). Left out: as the service did
   * that was started last.
   */
  readonly recordsPurges?: boolean
  /** Gets the figures of the database. */
  readonly metrics?: Metrics
  /** Called once when another program has brought the tables to another version: from then on all work is refused. */
  readonly whenOutdated?: (() => void) | undefined
  /** Statements that take at least so many milliseconds are logged; none when left out. */
  readonly slowStatementMs?: number
  /** The method and route of the request that a slow statement was sent for. */
  readonly routeOf?: () => string | undefined
}

/**
 * Opens the store that a URL names, and brings its tables up to date: `postgres://user@host/database`,
 * `sqlite:path/of/file.db` or just the path. Throws when it cannot be reached, or when a newer program has used it.
 */
export async function open(url: string, options: OpenOptions): Promise<Store> {
  const watch = watchOf(url, options)
  const onStatement = (sql: string) => {
    watch.countStatement()
    options.onStatement?.(sql)
  }
  const database = await openDatabase(url, { ...options, onStatement })
  options.metrics?.add(async () => [...watch.metrics(), ...(await databaseMetrics(database))])
  try {
    if (options.migrate === false) await checkTables(database)
    else await migrateTables(database, options.log, tablesAt)
    await database.follow()
    const form = options.form ?? UNCHANGED
    const recordsPurges = await recordingOf(database, options.recordsPurges)
    const parts = { form, recordsPurges, readerOn: recordsPurges ? readerForPurges : readerOn }
    return storeOn(database, parts, watch)
  } catch (error) {
    await database.close()
    throw error
  }
}

/** Opens the database that a URL names. Loads only the driver that it needs. */
export async function openDatabase(url: string, options: OpenOptions): Promise<Database> {
  const databaseOptions = databaseOptionsOf(options)
  const path = databaseFile(url)
  if (path === null) {
    const { openPostgres } = await postgres()
    return openPostgres(url, databaseOptions)
  }
  if (databaseOptions.replicas?.length) throw new UnusableDatabase(NO_REPLICAS)
  return openSqlite(path, databaseOptions)
}

const NO_REPLICAS =
  'Replicas are those of a PostgreSQL server, and the database is a file. Leave QUIRE_DATABASE_REPLICAS out, or name the server in QUIRE_DATABASE.'

/**
 * Replaces all that a database holds by what `load` writes into new tables of a version: all of it, or nothing. Throws
 * `UnusableDatabase` while a service uses it.
 */
export async function replaceTables<T>(
  url: string,
  options: OpenOptions & { readonly version: number },
  load: (connection: Connection) => Promise<T>,
): Promise<T> {
  const path = databaseFile(url)
  if (path === null) {
    const { replaceTables } = await postgres()
    return replaceTables(url, { ...databaseOptionsOf(options), version: options.version }, load)
  }
  return replaceFile(path, { ...databaseOptionsOf(options), version: options.version }, load)
}

/** Inspects a database without changing it. Throws when it does not exist or cannot be reached. */
export async function inspect(url: string): Promise<Inspection> {
  const path = databaseFile(url)
  if (path === null) {
    const { inspectPostgres } = await postgres()
    return inspectPostgres(url)
  }
  return inspectSqlite(path)
}

/** Why a replica of a database on a server cannot be read; null where it can. Throws when the server cannot be reached. */
export async function inspectReplica(url: string, replica: string): Promise<string | null> {
  const { inspectReplica } = await postgres()
  return inspectReplica(url, replica)
}

/** Why a database on a server cannot be listened to at another address; null where it can. */
export async function inspectListening(url: string, listenAt: string): Promise<string | null> {
  const { inspectListening } = await postgres()
  return inspectListening(url, listenAt)
}

function databaseOptionsOf(options: OpenOptions): DatabaseOptions {
  const whenOutdated = (version: number) => {
    options.log.error({ version, known: TABLES_VERSION }, OUTDATED)
    options.whenOutdated?.()
  }
  return { poolSize: 10, synchronous: 'normal', ...options, whenOutdated }
}

const OUTDATED =
  'Another program has brought the database to another version. This one neither reads nor writes any more.'

function watchOf(url: string, { log, slowStatementMs = Number.POSITIVE_INFINITY, routeOf }: OpenOptions) {
  const system = databaseFile(url) === null ? 'postgresql' : 'sqlite'
  return new DatabaseWatch({ log, system, slowMs: slowStatementMs, routeOf: routeOf ?? (() => undefined) })
}

/** The setting by which programs without a site know whether they are to record what they change. */
const RECORDS_PURGES = 'records purges'

/** Whether commits are to be recorded; the option of a service is kept for programs without one. */
async function recordingOf(database: Database, option: boolean | undefined): Promise<boolean> {
  const isRecording = (await new SettingRecords(database.primary).get(RECORDS_PURGES)) !== null
  if (option === undefined || option === isRecording) return isRecording
  await database.transaction(async (transaction) => {
    const settings = new SettingRecords(transaction)
    if (option) return settings.set(RECORDS_PURGES, 'true')
    await settings.remove(RECORDS_PURGES)
    await new PurgeRecords(transaction).clear()
  })
  return option
}

/** How stored content becomes documents, and whether commits are recorded for purging. */
interface StoreParts {
  readonly form: StoredForm
  readonly recordsPurges: boolean
  readonly readerOn: typeof readerOn
}

function storeOn(database: Database, parts: StoreParts, watch: DatabaseWatch): Store {
  const { form, readerOn } = parts
  const reader = readerOn(watch.reading(database.reader), form, {
    records: watch.reading(database.primary),
    changes: () => database.changes(),
  })
  let secret: Buffer | null = null
  const store: Omit<Store, keyof StoreReader> = {
    changes: () => database.changes(),
    revision: () => database.revision(),
    isCaughtUp: () => database.isCaughtUp(),
    catchUp: (revision) => database.catchUp(revision),
    revocations: () => database.revocations(),
    now: () => database.now(),
    // Bound: work that waits is started by others, and must keep the sources of its own caller.
    transaction: (work) =>
      watch.transaction((begun, done) =>
        database.transaction(
          AsyncLocalStorage.bind(async (transaction) => {
            begun()
            const result = await write(watch.writing(transaction), parts, work)
            done()
            return result
          }),
        ),
      ),
    snapshot: (work) =>
      database.snapshot(AsyncLocalStorage.bind((snapshot) => work(readerOn(watch.reading(snapshot), form)))),
    startUp: (work) => database.startUp(work),
    secret: async () => {
      secret ??= await reader.secrets.get()
      if (secret === null) await store.transaction(({ secrets }) => secrets.make())
      return secret ?? store.secret()
    },
    check: () => database.check(),
    close: () => database.close(),
  }
  return Object.assign(reader, store)
}

interface ReaderParts {
  /** The connection for records, which are always read from the primary. */
  readonly records?: Connection
  readonly changes?: () => Changes | null
  /** The sources know that a list covers the documents that are read by their ids. */
  readonly coversLists?: boolean
}

/** The readers on a connection, whose reads are recorded in the sources of the current work, and its records. */
class SqlReader extends SqlRecords<Connection> implements StoreReader {
  readonly documents: StoreReader['documents']
  readonly versions: StoreReader['versions']
  readonly attachments: StoreReader['attachments']
  readonly tree: StoreReader['tree']
  readonly locales: StoreReader['locales']

  constructor(connection: Connection, form: StoredForm, parts: ReaderParts) {
    const { records = connection, changes = () => null, coversLists = false } = parts
    super(records, form)
    const documents = trackedDocuments(new SqlDocumentReader(connection, form, changes))
    this.documents = coversLists ? withLists(documents) : documents
    this.versions = trackedVersions(new SqlVersionReader(connection, form))
    this.attachments = trackedAttachments(new SqlAttachmentReader(connection))
    this.tree = trackedTree(new SqlTreeReader(connection, form, changes))
    this.locales = untracked(new SqlLocaleReader(connection))
  }
}

function readerOn(connection: Connection, form: StoredForm, parts: ReaderParts = {}): StoreReader {
  return new SqlReader(connection, form, parts)
}

/** The readers for a site with a cache in front of it. */
const readerForPurges: typeof readerOn = (connection, form, parts) =>
  readerOn(connection, form, { ...parts, coversLists: true })
