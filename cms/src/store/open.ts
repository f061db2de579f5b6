import type { Log } from '../base/log.ts'
import { Attachments, WritableAttachments } from './attachments.ts'
import { CountCache } from './count-cache.ts'
import type { Database, DatabaseOptions, Transaction } from './database.ts'
import type { Dialect } from './dialect.ts'
import { WritableDocuments } from './document-writer.ts'
import { Documents } from './documents.ts'
import { Idempotency, WritableIdempotency } from './idempotency.ts'
import { Keys, WritableKeys } from './keys.ts'
import { Lists } from './lists.ts'
import { checkTables, migrateTables } from './migrate.ts'
import { Previews, WritablePreviews } from './previews.ts'
import { Settings, WritableSettings } from './settings.ts'
import { withForm } from './statement.ts'
import { type Store, type StoreWriter, UnusableDatabase } from './store.ts'
import { type StoredForm, UNCHANGED } from './stored-form.ts'
import { Throttle } from './throttle.ts'
import { Tokens, WritableTokens } from './tokens.ts'
import { Tree } from './tree.ts'
import { WritableTree } from './tree-writer.ts'
import { Versions, WritableVersions } from './versions.ts'

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
  /** Called for every statement that is sent. */
  readonly onStatement?: (sql: string) => void
}

/**
 * Opens the store that a URL names, and brings its tables up to date: `postgres://user@host/database`,
 * `sqlite:path/of/file.db` or just the path. Throws when it cannot be reached, or when a newer program has used it.
 */
export async function open(url: string, options: OpenOptions): Promise<Store> {
  const database = await openDatabase(url, options)
  try {
    if (options.migrate === false) await checkTables(database)
    else await migrateTables(database)
    await database.follow()
    return storeOn(database, options.form ?? UNCHANGED)
  } catch (error) {
    await database.close()
    throw error
  }
}

/** Brings the tables of a store up to date; the names of the steps taken. */
export async function migrate(url: string, options: OpenOptions): Promise<string[]> {
  const database = await openDatabase(url, options)
  try {
    return await migrateTables(database)
  } finally {
    await database.close()
  }
}

/** Only what is used is read: each database brings a driver of its own. */
async function openDatabase(url: string, options: OpenOptions): Promise<Database> {
  const { log, poolSize = 10, synchronous = 'normal', onStatement } = options
  const databaseOptions: DatabaseOptions = { log, poolSize, synchronous, onStatement }
  if (/^postgres(ql)?:/.test(url)) {
    const { openPostgres } = await import('./postgres.ts')
    return openPostgres(url, databaseOptions)
  }
  const path = url.replace(/^sqlite:(\/\/(?=\/))?/, '')
  if (path === '' || path === ':memory:' || /^[a-z][a-z0-9+.-]+:\/\//i.test(path)) {
    throw new UnusableDatabase(
      `No database is named by "${url.replace(/\/\/[^@/]*@/, '//…@')}": use sqlite:path/of/file.db or postgres://user@host/database.`,
    )
  }
  const { openSqlite } = await import('./sqlite.ts')
  return openSqlite(path, databaseOptions)
}

function storeOn(database: Database, form: StoredForm): Store {
  const { dialect } = database
  const reader = withForm(database.reader, form)
  const revision = () => database.revision()
  return {
    documents: new Documents(reader, dialect, new Lists(reader, dialect, new CountCache(revision))),
    versions: new Versions(reader),
    keys: new Keys(reader),
    tokens: new Tokens(reader),
    previews: new Previews(reader),
    throttle: new Throttle(reader, dialect),
    attachments: new Attachments(reader, dialect),
    settings: new Settings(reader),
    idempotency: new Idempotency(reader),
    tree: new Tree(reader, dialect),
    revision,
    isCaughtUp: () => database.isCaughtUp(),
    catchUp: (revision) => database.catchUp(revision),
    revocations: () => database.revocations(),
    transaction: (work) => database.transaction((connection) => work(writerOn(connection, dialect, form))),
    startUp: (work) => database.startUp(work),
    check: () => database.check(),
    close: () => database.close(),
  }
}

/** What one transaction writes with. */
function writerOn(transaction: Transaction, dialect: Dialect, form: StoredForm): StoreWriter {
  const connection = {
    ...withForm(transaction, form),
    documentsChanged: () => transaction.documentsChanged(),
    credentialsRevoked: () => transaction.credentialsRevoked(),
  }
  return {
    documents: new WritableDocuments(connection, dialect),
    versions: new WritableVersions(connection, dialect),
    keys: new WritableKeys(connection),
    tokens: new WritableTokens(connection, dialect),
    previews: new WritablePreviews(connection),
    throttle: new Throttle(connection, dialect),
    attachments: new WritableAttachments(connection, dialect),
    settings: new WritableSettings(connection),
    idempotency: new WritableIdempotency(connection),
    tree: new WritableTree(connection, dialect),
  }
}
