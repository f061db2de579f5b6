import { unavailable } from '../../base/errors.ts'
import type { Log } from '../../base/log.ts'
import type { Changes } from '../terms/changes.ts'
import type { Connection, Transaction } from './connection.ts'
import type { NewIndex } from './new-index.ts'
import type { TablesState } from './tables-state.ts'

export { UnusableDatabase } from './unusable-database.ts'

/** An open database. It knows nothing of documents. */
export interface Database {
  /**
   * Sees committed content only, of the primary or of a replica: all that this process knows of, and all that it has
   * shown.
   */
  readonly reader: Connection
  /** Sees all that is committed. */
  readonly primary: Connection
  /** Runs `work` in one transaction. It is run again after a collision with another one. */
  transaction<T>(work: (connection: Transaction) => Promise<T>): Promise<T>
  /** Runs `work` on one snapshot: it sees no later commits. */
  snapshot<T>(work: (connection: Connection) => Promise<T>): Promise<T>
  /** See `Store.startUp`. */
  startUp<T>(work: () => Promise<T>): Promise<T>
  /**
   * Runs `work` in a transaction that no other process can be in at the same time. It is run again after a collision
   * with work of others.
   */
  exclusively<T>(work: (connection: Connection) => Promise<T>): Promise<T>
  /**
   * Inside of such a transaction: keeps all others, also those of older programs, from these tables, whose state is
   * given, until it ends. Waits for what they have begun.
   */
  shutOut(connection: Connection, state: TablesState, tables: readonly string[]): Promise<void>
  /**
   * As `exclusively`, for work of some milliseconds that stops nobody: where it would have to wait for them, it
   * is begun again a little later.
   */
  briefly<T>(work: (connection: Connection) => Promise<T>): Promise<T>
  /** Runs `work` in one process at a time. Others go on meanwhile, and it may use transactions. */
  inTurn<T>(work: () => Promise<T>): Promise<T>
  /** Makes an index, unless there is one. Where the database can, others write to its table meanwhile. */
  buildIndex(index: NewIndex): Promise<void>
  /** See `Store`, also for the next five. */
  changes(): Changes | null
  revision(): string | null
  revocations(): string | null
  now(): Date
  isCaughtUp(): boolean
  catchUp(revision?: string): Promise<void>
  /** Throws when the database has not answered for some seconds, or is not the one that was opened. */
  check(): Promise<void>
  /** Starts listening to changes by other processes; called once the tables exist. */
  follow(): Promise<void>
  /** Counts the open connections, by state. */
  connections(): Readonly<Record<string, number>>
  replicas(): readonly ReplicaFigures[]
  close(): Promise<void>
}

/** Figures of a replica. */
export interface ReplicaFigures {
  /** Its host. */
  readonly name: string
  /** Whether it may be read at present. */
  readonly isUsable: boolean
  /** How many statements it was sent. */
  readonly reads: number
  /** How much of the log of the primary it has not repeated yet; null where that is unknown. */
  readonly lagBytes: number | null
  /** How many seconds ago, or less, its content was that of the primary; null where that is unknown. */
  readonly lagSeconds: number | null
}

/** The options of a database. */
export interface DatabaseOptions {
  readonly log: Log
  /** Connections at most, on a server; 10 when left out. */
  readonly poolSize: number
  /**
   * For a server behind a pooler, which gives each transaction another connection: the address at which it can be
   * listened to, or `none`, and then it is asked. Left out: the server itself is at the database's address.
   */
  readonly listenAt?: string | undefined
  /** `full`: each commit waits for the disk. `normal`, when left out: the last ones may be lost when the power fails. */
  readonly synchronous: 'normal' | 'full'
  /** The addresses of replicas, where there are any. */
  readonly replicas?: readonly string[]
  /** How old what replicas show may be while the primary cannot be asked, in milliseconds; 0 when left out. */
  readonly replicaMaxAge?: number
  /** Called once when another program has brought the tables to another version: nothing is read or written from then. */
  readonly whenOutdated?: ((version: number) => void) | undefined
  /** Called for every statement that is sent. */
  readonly onStatement?: ((sql: string) => void) | undefined
}

/** Facts about a database, read without changing it: for those who run the service. */
export interface Inspection {
  /** The name of the database product, with its version. */
  readonly product: string
  /** The oldest version that is supported, where it is older. */
  readonly needed: string | null
  /** The state of its tables. */
  readonly tables: TablesState
  readonly bytes: number
  /** The bytes of the file of changes that are not in the database file yet; null where there is none. */
  readonly walBytes: number | null
  /** Damaged rows, and references to nothing: some of them. */
  readonly problems: readonly string[]
  /** How far its clock is ahead of ours, in milliseconds; null where it has none of its own. */
  readonly aheadMs: number | null
  /** How many connections the server allows at most, to all programs; null where that does not matter. */
  readonly maxConnections: number | null
  /** Rights that a service needs and this account lacks, with advice. */
  readonly denied: readonly { readonly what: string; readonly advice: string }[]
}

/** How many problems are looked for. */
export const MOST_PROBLEMS = 10

const TAKEN_OVER = 'A newer version of this service has taken over. Try again in a moment.'

/**
 * Keeps this process from tables that another program has brought to another version (§0.11): from the moment it
 * notices, nothing is read, written or answered from memory.
 */
export class Fence {
  readonly #report: (version: number) => void
  #isOutdated = false

  /** `report` is called once, with the version of the tables. */
  constructor(report: (version: number) => void) {
    this.#report = report
  }

  get isOutdated(): boolean {
    return this.#isOutdated
  }

  /** The tables are at another version than this program knows. */
  close(version: number): void {
    if (this.#isOutdated) return
    this.#isOutdated = true
    this.#report(version)
  }

  /** Throws `unavailable` once they are. */
  assertOpen(): void {
    if (this.#isOutdated) throw unavailable(TAKEN_OVER)
  }
}
