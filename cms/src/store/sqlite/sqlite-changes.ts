import type { StatementSync } from 'node:sqlite'
import { type Change, Changes, readChange, writeChange } from '../terms/changes.ts'
import type { SqliteConnection } from './sqlite-connection.ts'

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
interface Options {
  readonly process: string
  readonly reading: SqliteConnection
  readonly writer: SqliteConnection
  /** `pragma data_version` of the writer: a number that changes with commits of other connections only. */
  readonly version: StatementSync
}

/**
 * Announces to other processes what commits change: each transaction that writes adds a row. `data_version` tells when there
 * are new ones. When it has changed without a new row, another program has written, and anything may have changed.
 */
export class SqliteChanges {
  readonly changes = new Changes()
  readonly #options: Options
  #heardVersion = 0
  #heardRow = 0

  constructor(options: Options) {
    this.#options = options
  }

  /** Starts; the table must exist. */
  start(): void {
    this.#heardVersion = this.#version()
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
    return this.#version() !== this.#heardVersion
  }

  /** Records the changes that others have committed since the last call; false when there are none. */
  hear(): boolean {
    let version = this.#version()
    if (version === this.#heardVersion) return false
    for (;;) {
      const rows = this.#options.reading.run(SINCE, [this.#heardRow]) as ChangeRow[]
      const before = version
      version = this.#version()
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

  #version(): number {
    // One row of one number, as an array (setReturnArrays).
    const row = this.#options.version.get() as unknown as readonly number[]
    return row[0] ?? 0
  }
}
