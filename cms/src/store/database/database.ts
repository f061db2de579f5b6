import type { Log } from '../../base/log.ts'
import type { Announcement, Changes } from '../contract/changes.ts'
import type { Sql } from './sql.ts'
import type { Connection } from './statement.ts'

/** An open database. It knows nothing of documents. */
export interface Database {
  /** Sees committed content only. */
  readonly reader: Connection
  /** Runs `work` in one transaction. It is run again after a collision with another one. */
  transaction<T>(work: (connection: Transaction) => Promise<T>): Promise<T>
  /** Runs `work` on one snapshot: it sees no later commits. */
  snapshot<T>(work: (connection: Connection) => Promise<T>): Promise<T>
  /** As the store's. */
  startUp<T>(work: () => Promise<T>): Promise<T>
  /** Runs `work` in a transaction that no other process can be in at the same time. */
  exclusively<T>(work: (connection: Connection) => Promise<T>): Promise<T>
  /** These five are those of `Store`. */
  changes(): Changes | null
  revision(): string | null
  revocations(): string | null
  isCaughtUp(): boolean
  catchUp(revision?: string): Promise<void>
  /** Throws when the database does not answer, or is not the one that was opened. */
  check(): Promise<void>
  /** Starts listening to changes by other processes; called once the tables exist. */
  follow(): Promise<void>
  /** How many connections are open, by what they are doing. */
  connections(): Readonly<Record<string, number>>
  close(): Promise<void>
}

/** A connection inside a transaction. */
export interface Transaction extends Connection {
  /**
   * Sends a statement whose rows nobody needs. This may resolve before it has run: when it fails, the next one or the
   * commit fails with its error.
   */
  send(statement: Sql): Promise<void>
  /** Announces what this transaction changes: the commit tells all processes. */
  changed(announcement: Announcement): void
  /** Announces that a credential lost rights: the commit tells all processes. */
  credentialsRevoked(): void
}

/** The options of a database. */
export interface DatabaseOptions {
  readonly log: Log
  /** Connections at most, where there are several. */
  readonly poolSize: number
  /** Whether each commit waits for the disk: with `normal` the last ones may be lost when the power fails. */
  readonly synchronous: 'normal' | 'full'
  /** Called for every statement that is sent. */
  readonly onStatement?: ((sql: string) => void) | undefined
}
