// Longer than other files: one class has the connections of a file, and what these share: the writer and its turn.

import { randomInt } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { stopping } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import type { Connection, Transaction } from '../database/connection.ts'
import { type Database, type DatabaseOptions, Fence } from '../database/database.ts'
import type { NewIndex } from '../database/new-index.ts'
import { sql } from '../database/sql.ts'
import { contentHash } from '../database/stored-content.ts'
import { ChangeCollector, type Changes } from '../terms/changes.ts'
import { GroupCommit } from './group-commit.ts'
import { OtherProcesses, SqliteChanges } from './sqlite-changes.ts'
import { SqliteCheckpoints } from './sqlite-checkpoints.ts'
import { numberReader, SqliteConnection, type WatchedFile } from './sqlite-connection.ts'
import { BUSY_TIMEOUT_MS, cannotGrow, cannotOpen, rethrow, retryWhileBusy } from './sqlite-errors.ts'
import { prepareFile, restrictFile, SqliteFile } from './sqlite-file.ts'

/** The setting by which other processes see the last revocation of a credential. */
const ANNOUNCE_REVOCATION = (name: string) => sql`insert into meta (name, value) values ('endings', ${name})
  on conflict (name) do update set value = excluded.value`

/** In pages of the log. `SqliteCheckpoints` copies it long before; the writer does only when that fails. */
const MOST_LOGGED_PAGES = 16_000

/** The cache of each connection. With half of it, a POST among 100,000 documents takes a quarter more processor time. */
const PAGE_CACHE_KIB = 8192

/** Opens, or creates, a database file and the folder it lies in. */
export async function openSqlite(path: string, options: DatabaseOptions): Promise<Database> {
  try {
    prepareFile(path)
    return await openFile(path, options)
  } catch (error) {
    throw cannotOpen(path, error)
  }
}

async function openFile(path: string, options: DatabaseOptions): Promise<Database> {
  const file = new SqliteFile(path)
  const connections: DatabaseSync[] = []
  try {
    const writer = new DatabaseSync(path)
    connections.push(writer)
    await retryWhileBusy(() => {
      writer.exec(`
        pragma journal_mode = wal;
        pragma synchronous = ${options.synchronous};
        pragma cache_size = -${PAGE_CACHE_KIB};
        pragma journal_size_limit = 67108864;
        pragma wal_autocheckpoint = ${MOST_LOGGED_PAGES}`)
    }, performance.now() + BUSY_TIMEOUT_MS)
    restrictFile(path)
    writer.function('content_hash', { deterministic: true }, (text) => contentHash(String(text)))
    const reader = new DatabaseSync(path, { readOnly: true, timeout: 2000 })
    connections.push(reader)
    // Not mapped into memory: reading a file that was truncated would end the process then.
    reader.exec(`pragma cache_size = -${PAGE_CACHE_KIB}`)
    return new SqliteDatabase([writer, reader], file, options)
  } catch (error) {
    for (const connection of connections) connection.close()
    file.close()
    throw error
  }
}

/** Two connections: the reader does not see what the writer has not committed. Transactions run one after another. */
class SqliteDatabase implements Database {
  readonly reader: Connection
  readonly primary: Connection
  readonly #reading: SqliteConnection
  readonly #writer: SqliteConnection
  readonly #connections: readonly DatabaseSync[]
  readonly #file: SqliteFile
  readonly #fence: Fence
  readonly #watched: WatchedFile
  readonly #changes: SqliteChanges
  readonly #others: OtherProcesses
  readonly #snapshots = new Set<DatabaseSync>()
  readonly #onStatement: DatabaseOptions['onStatement']
  readonly #commits: GroupCommit
  readonly #checkpoints: SqliteCheckpoints
  #isOpen = true

  constructor([writer, reader]: readonly [DatabaseSync, DatabaseSync], file: SqliteFile, options: DatabaseOptions) {
    this.#connections = [reader, writer]
    this.#file = file
    this.#onStatement = options.onStatement
    const fence = new Fence((version) => options.whenOutdated?.(version))
    this.#fence = fence
    const assertRight = () => {
      file.assertRight()
      fence.assertOpen()
    }
    this.#watched = { assertRight, recordDamage: () => file.recordDamage() }
    this.#reading = new SqliteConnection(reader, options.onStatement, this.#watched)
    this.reader = this.#reading
    this.primary = this.#reading
    this.#writer = new SqliteConnection(writer, options.onStatement, this.#watched)
    const version = numberReader(writer, 'pragma data_version')
    const name = newId()
    const connections = { reading: this.#reading, writer: this.#writer }
    const changes = new SqliteChanges({ process: name, ...connections, version })
    const isUsable = () => this.#isOpen && file.isRight
    this.#changes = changes
    this.#others = new OtherProcesses({ name, changes, ...connections, fence, isUsable })
    const groupConnection = {
      begin: (deadline: number) => retryWhileBusy(() => this.#begin(), deadline).catch(rethrow),
      run: (command: string) => this.#runCommand(command),
      isInTransaction: () => this.#isOpen && writer.isTransaction,
      writes: () => this.#writer.writes,
    }
    this.#commits = new GroupCommit(groupConnection, BUSY_TIMEOUT_MS)
    this.#checkpoints = new SqliteCheckpoints(file.path, writer)
  }

  transaction<T>(work: (connection: Transaction) => Promise<T>): Promise<T> {
    let onCommitted = () => {}
    // It may be called again, when another one of its group has failed.
    const workAndAnnounce = async () => {
      const { writes } = this.#writer
      const collector = new ChangeCollector()
      let hasRevoked = false
      const connection = this.#connection(collector, () => {
        hasRevoked = true
      })
      const result = await work(connection)
      if (hasRevoked) await this.#writer.all(ANNOUNCE_REVOCATION(newId()))
      const recordChange = this.#writer.writes > writes ? this.#changes.announce(collector.change) : () => {}
      onCommitted = () => {
        if (hasRevoked) this.#others.revoked()
        recordChange()
      }
      return result
    }
    return this.#commits.transaction(workAndAnnounce, () => onCommitted())
  }

  #connection(collector: ChangeCollector, credentialsRevoked: () => void): Transaction {
    const writer = this.#writer
    return {
      dialect: writer.dialect,
      all: (query) => writer.all(query),
      varied: (query) => writer.all(query),
      fixed: (query, values) => writer.fixed(query, values),
      send: async (statement) => void (await writer.all(statement)),
      changed: (announcement) => collector.add(announcement),
      credentialsRevoked,
    }
  }

  exclusively<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return this.#commits.transaction(
      () => work(this.#writer),
      () => {},
    )
  }

  /** A transaction that writes is the only one, and those that read see the tables as they were when they began. */
  async shutOut(): Promise<void> {}

  briefly<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return this.exclusively(work)
  }

  /** Other writers wait: the file has one at a time. */
  async buildIndex(index: NewIndex): Promise<void> {
    await this.exclusively((connection) => connection.all(index.statement()))
  }

  /** On a connection of its own, so that others read what is new. */
  async snapshot<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    if (!this.#isOpen) throw stopping()
    const database = new DatabaseSync(this.#file.path, { readOnly: true, timeout: 2000 })
    this.#snapshots.add(database)
    try {
      database.exec('begin')
      return await work(new SqliteConnection(database, this.#onStatement, this.#watched))
    } finally {
      if (this.#snapshots.delete(database)) database.close()
    }
  }

  /** Processes that migrate at once do the same, in transactions that exclude each other. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    return work()
  }

  /** Runs work without a lock: transactions exclude each other, and missing content is looked up inside one. */
  startUp<T>(work: () => Promise<T>): Promise<T> {
    return work()
  }

  changes(): Changes | null {
    return this.#others.changes
  }

  revision(): string | null {
    return this.#others.revision
  }

  revocations(): string | null {
    return this.#others.revocations
  }

  /** The processes of a file are on one machine. */
  now(): Date {
    return new Date()
  }

  /** Looks for changes of other processes: each look sees all commits. */
  isCaughtUp(): boolean {
    return this.#others.look()
  }

  async catchUp(): Promise<void> {
    this.#others.look()
    this.#fence.assertOpen()
  }

  async follow(): Promise<void> {
    const name = this.#nameInHeader() || (await this.exclusively(async () => this.#nameInHeader() || this.#giveName()))
    try {
      // From now on: migrations sort whole tables, which would take their size in memory.
      this.#writer.run('pragma temp_store = memory')
      this.#writer.run('pragma wal_checkpoint(passive)')
    } catch (error) {
      // On a full disk the log waits for room, and what is stored is read meanwhile.
      if (!cannotGrow(error)) throw cannotOpen(this.#file.path, error)
    }
    this.#file.accept(name)
    this.#others.start()
  }

  #nameInHeader(): number {
    const [row] = this.#writer.run('pragma user_version') as { user_version: number }[]
    return row?.user_version ?? 0
  }

  /** A number in the header of the file: it tells when another database was copied over this one. */
  #giveName(): number {
    const name = randomInt(1, 2 ** 31)
    this.#writer.run(`pragma user_version = ${name}`)
    return name
  }

  async check(): Promise<void> {
    this.#file.look()
    this.#others.look()
    await this.reader.all(sql`select name from meta limit 1`)
  }

  connections(): Readonly<Record<string, number>> {
    return { shared: this.#isOpen ? this.#connections.length : 0, snapshot: this.#snapshots.size }
  }

  replicas(): readonly [] {
    return []
  }

  async close(): Promise<void> {
    await this.#commits.idle()
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#others.stop()
    await this.#checkpoints.close()
    for (const connection of [...this.#connections, ...this.#snapshots]) connection.close()
    this.#snapshots.clear()
    this.#file.close()
  }

  #begin(): void {
    this.#writeTo('begin immediate')
    this.#others.assertTables(() => this.#writer.run('rollback'))
  }

  /** Refuses a file that was replaced or removed: changes written to it would be lost. */
  #writeTo(command: string): void {
    if (!this.#isOpen) throw stopping()
    this.#file.look()
    this.#file.assertRight()
    this.#writer.run(command)
  }

  #runCommand(command: string): void {
    try {
      if (command !== 'commit') return void this.#writer.run(command)
      this.#writeTo(command)
      this.#checkpoints.committed()
    } catch (error) {
      rethrow(error)
    }
  }
}
