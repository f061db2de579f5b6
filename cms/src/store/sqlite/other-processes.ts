import type { Fence } from '../database/fence.ts'
import { TABLES_VERSION } from '../migrations/index.ts'
import type { Changes } from '../terms/changes.ts'
import type { SqliteChanges } from './sqlite-changes.ts'
import type { SqliteConnection } from './sqlite-connection.ts'
import { isBusy, isFileError } from './sqlite-errors.ts'

/** The settings by which they see the last revocation of a credential, and the version of the tables. */
const OF_ALL = "select name, value from meta where name in ('endings', 'version')"

/** How long one look is enough for callers other than requests. */
const RECENT_MILLISECONDS = 1
/** How often a process looks that nobody asks anything. */
const LOOK_MILLISECONDS = 500

/** The options of `OtherProcesses`. */
interface Options {
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
  readonly #options: Options
  #isKnown = false
  #isFollowing = false
  #lookedAt = Number.NEGATIVE_INFINITY
  #revoked = 0
  #foreignRevoked: string | null = null
  #timer: NodeJS.Timeout | undefined

  constructor(options: Options) {
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
    const setting = (name: string) => rows.find((row) => row.name === name)?.value ?? ''
    const version = Number(setting('version'))
    if (version !== TABLES_VERSION) this.#options.fence.close(version)
    return setting('endings')
  }
}
