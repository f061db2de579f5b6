import { AsyncLocalStorage } from 'node:async_hooks'
import { late } from '../base/late.ts'
import type { Log } from '../base/log.ts'
import type { Metrics } from '../base/metrics.ts'
import { withoutPassword } from '../base/text.ts'
import { notedAttachments, notedDocuments, notedSettings, notedTree, notedVersions } from './changes/dependencies.ts'
import { unannounced } from './changes/noted.ts'
import { ReadCache } from './changes/read-cache.ts'
import type { Changes } from './contract/changes.ts'
import type { Inspection } from './contract/inspection.ts'
import { type Store, type StoreReader, UnusableDatabase } from './contract/store.ts'
import { type StoredForm, UNCHANGED } from './contract/stored-form.ts'
import type { Database, DatabaseOptions } from './database/database.ts'
import { DatabaseFigures } from './database/figures.ts'
import { latePart } from './database/late-part.ts'
import type { Connection } from './database/statement.ts'
import { type AttachmentCache, SqlAttachmentReader } from './documents/attachment-reader.ts'
import { SqlDocumentReader } from './documents/document-reader.ts'
import { SqlLocaleReader } from './documents/locale-reader.ts'
import { checkTables, migrateTables } from './migrations/migrate.ts'
import { SqlKeyReader } from './records/key-records.ts'
import { SqlSettingReader } from './records/setting-records.ts'
import { SqlTokenReader } from './records/token-records.ts'
import { SqlTreeReader } from './tree/tree-reader.ts'
import { SqlVersionReader } from './versions/version-reader.ts'

const write = late(() => import('./transaction-writer.ts'), 'write')

/** How to open a store. */
export interface OpenOptions {
  readonly log: Log
  /** Connections at most, on a server; 10 when left out. */
  readonly poolSize?: number
  /** `full`: a save is answered only when it is on the disk. `normal`: the last ones may be lost with the power. */
  readonly synchronous?: 'normal' | 'full'
  /** False: only checks that the tables are up to date. */
  readonly migrate?: boolean
  /** Converts between stored content and the fields of documents; when left out, fields are stored unchanged. */
  readonly form?: StoredForm
  /** Gets the figures of the database. */
  readonly metrics?: Metrics
  /** Called for every statement that is sent. */
  readonly onStatement?: (sql: string) => void
}

/**
 * Opens the store that a URL names, and brings its tables up to date: `postgres://user@host/database`,
 * `sqlite:path/of/file.db` or just the path. Throws when it cannot be reached, or when a newer program has used it.
 */
export async function open(url: string, options: OpenOptions): Promise<Store> {
  const figures = new DatabaseFigures()
  const onStatement = (sql: string) => {
    figures.countStatement()
    options.onStatement?.(sql)
  }
  const database = await openDatabase(url, { ...options, onStatement })
  options.metrics?.add(() => figures.metrics(database))
  try {
    if (options.migrate === false) await checkTables(database)
    else await migrateTables(database, options.log)
    await database.follow()
    return storeOn(database, options.form ?? UNCHANGED, figures)
  } catch (error) {
    await database.close()
    throw error
  }
}

/** Brings the tables of a store up to date; the names of the steps taken. */
export async function migrate(url: string, options: OpenOptions): Promise<string[]> {
  const database = await openDatabase(url, options)
  try {
    return await migrateTables(database, options.log)
  } finally {
    await database.close()
  }
}

/** Opens the database that a URL names. Loads only the driver that it needs. */
export async function openDatabase(url: string, options: OpenOptions): Promise<Database> {
  const databaseOptions = databaseOptionsOf(options)
  const path = databaseFile(url)
  if (path === null) {
    const { openPostgres } = await import('./postgres/postgres.ts')
    return openPostgres(url, databaseOptions)
  }
  const { openSqlite } = await import('./sqlite/sqlite.ts')
  return openSqlite(path, databaseOptions)
}

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
    const { replaceTables } = await import('./postgres/postgres-restore.ts')
    return replaceTables(url, { ...databaseOptionsOf(options), version: options.version }, load)
  }
  const { replaceFile } = await import('./sqlite/sqlite-restore.ts')
  return replaceFile(path, { ...databaseOptionsOf(options), version: options.version }, load)
}

/** Which tables there are at a version, by the steps that make them. */
export const tablesAt = late(() => import('./sqlite/sqlite-tables.ts'), 'tablesAt')

/** Inspects a database without changing it. Throws when it does not exist or cannot be reached. */
export async function inspect(url: string): Promise<Inspection> {
  const path = databaseFile(url)
  if (path === null) {
    const { inspectPostgres } = await import('./postgres/postgres-inspection.ts')
    return inspectPostgres(url)
  }
  const { inspectSqlite } = await import('./sqlite/sqlite-inspection.ts')
  return inspectSqlite(path)
}

function databaseOptionsOf({ log, poolSize = 10, synchronous = 'normal', onStatement }: OpenOptions): DatabaseOptions {
  return { log, poolSize, synchronous, onStatement }
}

/**
 * The path of a database file, with or without `//` in front; null for one on a server. Throws when the URL names
 * neither.
 */
export function databaseFile(url: string): string | null {
  if (/^postgres(ql)?:/.test(url)) return null
  const path = url.replace(/^sqlite:(\/\/)?/, '')
  if (path === '' || path === ':memory:' || /^[a-z][a-z0-9+.-]+:\/\//i.test(path)) {
    throw new UnusableDatabase(
      `No database is named by "${withoutPassword(url)}": use sqlite:path/of/file.db or postgres://user@host/database.`,
    )
  }
  return path
}

const ATTACHMENTS_BYTES = 2 * 1024 * 1024

function storeOn(database: Database, form: StoredForm, figures: DatabaseFigures): Store {
  const revision = () => database.revision()
  return {
    ...readerOn(database.reader, form, () => database.changes()),
    changes: () => database.changes(),
    revision,
    isCaughtUp: () => database.isCaughtUp(),
    catchUp: (revision) => database.catchUp(revision),
    revocations: () => database.revocations(),
    // Bound: work that waits is started by others, and must keep the sources of its own caller.
    transaction: (work) =>
      figures.transaction((hasBegun) =>
        database.transaction(
          AsyncLocalStorage.bind((begun) => {
            hasBegun()
            return write(begun, { form, readerOn }, work)
          }),
        ),
      ),
    snapshot: (work) => database.snapshot(AsyncLocalStorage.bind((begun) => work(readerOn(begun, form)))),
    startUp: (work) => database.startUp(work),
    check: () => database.check(),
    close: () => database.close(),
  }
}

/** The readers on a connection; what they read is noted in the sources of the current work. */
function readerOn(connection: Connection, form: StoredForm, changes: () => Changes | null = () => null): StoreReader {
  return {
    documents: notedDocuments(new SqlDocumentReader(connection, form, changes)),
    versions: notedVersions(new SqlVersionReader(connection, form)),
    keys: unannounced(new SqlKeyReader(connection)),
    tokens: unannounced(new SqlTokenReader(connection)),
    previews: unannounced(
      latePart(async () => new (await import('./records/preview-records.ts')).SqlPreviewReader(connection)),
    ),
    clipboards: unannounced(
      latePart(async () => new (await import('./records/clipboard-records.ts')).SqlClipboardReader(connection)),
    ),
    throttle: unannounced(
      latePart(async () => new (await import('./records/throttle-records.ts')).SqlThrottleReader(connection)),
    ),
    attachments: notedAttachments(new SqlAttachmentReader(connection, newAttachmentCache(changes))),
    settings: notedSettings(new SqlSettingReader(connection)),
    idempotency: unannounced(
      latePart(async () => new (await import('./records/idempotency-records.ts')).SqlIdempotencyReader(connection)),
    ),
    tree: notedTree(new SqlTreeReader(connection, form, changes)),
    locales: unannounced(new SqlLocaleReader(connection)),
    contentMigrations: unannounced(
      latePart(
        async () => new (await import('./records/content-migration-records.ts')).SqlContentMigrationReader(connection),
      ),
    ),
    jobs: unannounced(latePart(async () => new (await import('./records/job-records.ts')).SqlJobReader(connection))),
    webhooks: unannounced(
      latePart(async () => new (await import('./records/webhook-records.ts')).SqlWebhookReader(connection)),
    ),
    schedules: unannounced(
      latePart(async () => new (await import('./records/schedule-records.ts')).SqlScheduleReader(connection)),
    ),
  }
}

function newAttachmentCache(changes: () => Changes | null): AttachmentCache {
  return new ReadCache({ changes, maxBytes: ATTACHMENTS_BYTES, bytesOf: ({ uses }) => 1000 + 300 * uses.length })
}
