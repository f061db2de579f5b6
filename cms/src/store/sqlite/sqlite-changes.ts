import type { Fence } from '../database/database.ts'
import { isUsableBy, STATE_SETTINGS, stateOf } from '../database/tables-state.ts'
import { TABLES_VERSION } from '../migrations/index.ts'
import { type Change, Changes, readChange, writeChange } from '../terms/changes.ts'
import type { SqliteConnection } from './sqlite-connection.ts'
import { isBusy, isFileError } from './sqlite-errors.ts'

const INSERT = 'insert into changes (process, change) values (?, ?) returning n'
const TRIM = 'delete from changes where n <= ?'
const SINCE = 'select n, process, change from changes where n > ? order by n'
const LAST = 'select max(n) as n from changes'

/** How many commits are stored, up to a few hundred more. A process that has missed older ones must assume anything. */
const COMMITS = 1024
const TRIMMED_EVERY = 256
const MAX_BYTES = 8_000
/** A commit that changes nothing that answers depend on. */
const NOTHING = ''

interface ChangeRow {
  readonly n: number
  readonly process: string
  /** Null for anything. */
  readonly change: string | null
}

/** The options of `SqliteChanges`. */
interface ChangesOptions {
  readonly process: string
  readonly reading: SqliteConnection
  readonly writer: SqliteConnection
  /** `pragma data_version` of the writer: a number that changes with commits of other connections only. */
  readonly version: () => number
}

/**
 * Announces to other processes what commits change: each transaction that writes adds a row. `data_version` tells when there
 * are new ones. When it has changed without a new row, another program has written, and anything may have changed.
 */
export class SqliteChanges {
  readonly changes = new Changes()
  readonly #options: ChangesOptions
  #heardVersion = 0
  #heardRow = 0

  constructor(options: ChangesOptions) {
    this.#options = options
  }

  /** Starts; the table must exist. */
  start(): void {
    this.#heardVersion = this.#options.version()
    const [last] = this.#options.reading.run(LAST) as { n: number | null }[]
    this.#heardRow = last?.n ?? 0
  }

  /** Adds the row of a transaction; returns a function to call after the commit. `undefined`: nothing was changed. */
  announce(change: Change | null | undefined): () => void {
    const { writer, process } = this.#options
    const text = change === undefined ? NOTHING : writeChange(change, MAX_BYTES)
    const [row] = writer.run(INSERT, [process, text]) as { n: number }[]
    const n = row?.n ?? 0
    if (n % TRIMMED_EVERY === 0) writer.run(TRIM, [n - COMMITS])
    return () => {
      if (n === this.#heardRow + 1) this.#heardRow = n
      if (change !== undefined) this.changes.note(change)
    }
  }

  /** Says whether others have committed since it last heard of them. */
  areNew(): boolean {
    return this.#options.version() !== this.#heardVersion
  }

  /** Records the changes that others have committed since the last call; false when there are none. */
  hear(): boolean {
    let version = this.#options.version()
    if (version === this.#heardVersion) return false
    for (;;) {
      const rows = this.#options.reading.run(SINCE, [this.#heardRow]) as ChangeRow[]
      const before = version
      version = this.#options.version()
      // Otherwise another one was committed meanwhile, and these may be its rows, or not.
      if (version === before) {
        this.#note(rows)
        this.#heardVersion = version
        return true
      }
    }
  }

  #note(rows: readonly ChangeRow[]): void {
    const others = rows.filter(({ process }) => process !== this.#options.process)
    const isGap = rows.length > 0 && rows[0]?.n !== this.#heardRow + 1
    if (isGap || others.length === 0) this.changes.note(null)
    else {
      for (const { change } of others)
        if (change !== NOTHING) this.changes.note(change === null ? null : readChange(change))
    }
    this.#heardRow = rows.at(-1)?.n ?? this.#heardRow
  }
}

/** The settings by which they see the last revocation of a credential, and the state of the tables. */
const OF_ALL = `select name, value from meta where name in ('endings', '${STATE_SETTINGS.oldest}', '${STATE_SETTINGS.version}')`

/** How long one look is enough for callers other than requests. */
const RECENT_MILLISECONDS = 1
/** How often a process looks that nobody asks anything. */
const LOOK_MILLISECONDS = 500

/** The options of `OtherProcesses`. */
interface OthersOptions {
  /** How this process names its revisions. */
  readonly name: string
  readonly changes: SqliteChanges
  readonly reading: SqliteConnection
  readonly writer: SqliteConnection
  readonly fence: Fence
  /** Whether the file can be relied on. */
  readonly isUsable: () => boolean
}

/** All that this process knows of what others have committed to the same file. */
export class OtherProcesses {
  readonly #options: OthersOptions
  #isKnown = false
  #isFollowing = false
  #lookedAt = Number.NEGATIVE_INFINITY
  #revoked = 0
  #foreignRevoked: string | null = null
  #timer: NodeJS.Timeout | undefined

  constructor(options: OthersOptions) {
    this.#options = options
  }

  /** From now on it looks; the tables must exist. */
  start(): void {
    this.#options.changes.start()
    this.#isFollowing = true
    this.#timer = setInterval(() => this.look(), LOOK_MILLISECONDS).unref()
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** A credential was revoked here. */
  revoked(): void {
    this.#revoked += 1
  }

  get changes(): Changes | null {
    return this.#isUpToDate() ? this.#options.changes.changes : null
  }

  get revision(): string | null {
    const { name, changes } = this.#options
    return this.#isUpToDate() ? `${name}.${changes.changes.now}` : null
  }

  get revocations(): string | null {
    return this.#isUpToDate() ? `${this.#revoked} ${this.#foreignRevoked}` : null
  }

  /** Looks at what they have committed. False when that cannot be known. */
  look(): boolean {
    this.#isKnown = this.#hear()
    this.#lookedAt = performance.now()
    return this.#isKnown
  }

  /**
   * Called in a transaction that writes, in which nobody else commits: the tables stay as they are now. Throws, and
   * calls `rollback` before, where they are at another version.
   */
  assertTables(rollback: () => void): void {
    const { changes, writer, fence } = this.#options
    if (!this.#isFollowing || !changes.areNew()) return
    this.#readSettings(writer)
    if (!fence.isOutdated) return
    rollback()
    fence.assertOpen()
  }

  /** A look takes three microseconds: what was seen a moment ago is enough for those who have not been asked since. */
  #isUpToDate(): boolean {
    if (performance.now() - this.#lookedAt > RECENT_MILLISECONDS) return this.look()
    return this.#isKnown && this.#isUsable()
  }

  #isUsable(): boolean {
    return this.#options.isUsable() && !this.#options.fence.isOutdated
  }

  #hear(): boolean {
    if (!this.#isUsable()) return false
    const { changes, reading, fence } = this.#options
    try {
      if (changes.hear() || this.#foreignRevoked === null) {
        this.#foreignRevoked = null
        this.#foreignRevoked = this.#readSettings(reading)
      }
      return !fence.isOutdated
    } catch (error) {
      // Another process keeps the file to itself.
      if (isBusy(error) || isFileError(error)) return false
      throw error
    }
  }

  /** The last revocation by another process. Closes the fence where one has migrated the database. */
  #readSettings(connection: SqliteConnection): string {
    const rows = connection.run(OF_ALL) as { name: string; value: string }[]
    const setting = (name: string) => rows.find((row) => row.name === name)?.value
    const tables = stateOf({ oldest: setting(STATE_SETTINGS.oldest), version: setting(STATE_SETTINGS.version) })
    if (!isUsableBy(TABLES_VERSION, tables)) this.#options.fence.close(tables.version)
    return setting('endings') ?? ''
  }
}
