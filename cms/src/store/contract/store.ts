import type { Connection, Transaction } from '../database/connection.ts'
import type { AgentCallRecords } from '../records/agent-call-records.ts'
import type { AgentMinuteRecords } from '../records/agent-minute-records.ts'
import type { ClipboardRecords } from '../records/clipboard-records.ts'
import type { ContentMigrationRecords } from '../records/content-migration-records.ts'
import type { IdempotencyRecords } from '../records/idempotency-records.ts'
import type { JobRecords } from '../records/job-records.ts'
import type { KeyRecords } from '../records/key-records.ts'
import type { PreviewRecords } from '../records/preview-records.ts'
import type { ProposalRecords } from '../records/proposal-records.ts'
import type { PurgeRecords } from '../records/purge-records.ts'
import type { ScheduleRecords } from '../records/schedule-records.ts'
import type { SecretRecords, SettingRecords } from '../records/setting-records.ts'
import type { ThrottleRecords } from '../records/throttle-records.ts'
import type { TokenRecords } from '../records/token-records.ts'
import type { UploadLinkRecords } from '../records/upload-link-records.ts'
import type { WebhookRecords } from '../records/webhook-records.ts'
import type { AttachmentReader, AttachmentWriter } from '../terms/attachment-store.ts'
import type { Changes } from '../terms/changes.ts'
import type { DocumentReader } from '../terms/document-store.ts'
import type { DocumentWriter } from '../terms/document-writes.ts'
import type { LocaleReader, LocaleWriter } from '../terms/locale-store.ts'
import type { TreeReader, TreeWriter } from '../terms/tree-store.ts'
import type { VersionReader, VersionWriter } from '../terms/version-store.ts'

export { UnusableDatabase } from '../database/database.ts'
export type { AgentCall } from '../records/agent-call-records.ts'
export type { AgentMinute } from '../records/agent-minute-records.ts'
export type { StoredMigration } from '../records/content-migration-records.ts'
export type { IdempotentRequest } from '../records/idempotency-records.ts'
export type { JobLease, JobState } from '../records/job-records.ts'
export type { ApiKey } from '../records/key-records.ts'
export type { Preview } from '../records/preview-records.ts'
export type {
  Proposal,
  ProposalMaker,
  ProposalQuery,
  ProposalState,
  ProposedContents,
  RowDecision,
  RowDecisions,
} from '../records/proposal-records.ts'
export type { NewPurge, Purge } from '../records/purge-records.ts'
export type {
  DocumentSchedule,
  ScheduledAction,
  ScheduledCount,
  ScheduledScope,
  ScheduleFailures,
} from '../records/schedule-records.ts'
export type { Attempts } from '../records/throttle-records.ts'
export type { Token } from '../records/token-records.ts'
export type { Delivery, DeliveryOutcome, Webhook } from '../records/webhook-records.ts'
export type * from '../terms/attachment-store.ts'
export { type Change, Changes, changed, type Name } from '../terms/changes.ts'
export type * from '../terms/document-query.ts'
export type * from '../terms/document-store.ts'
export * from '../terms/document-writes.ts'
export type * from '../terms/locale-store.ts'
export {
  type DocumentWords,
  isShownTo,
  type RecentWords,
  type SearchQuery,
  type SearchRank,
  type SearchScope,
  unindexedMatches,
} from '../terms/search-query.ts'
export { SourcedCache } from '../terms/sourced-cache.ts'
export { Basis, currentSources, Sources, withSources } from '../terms/sources.ts'
export type * from '../terms/stored-form.ts'
export type * from '../terms/tree-store.ts'
export type * from '../terms/version-store.ts'

/** Stored data other than content, by kind. Without a transaction only methods that read can be called. */
export interface Records<Connected extends Connection> {
  readonly keys: KeyRecords<Connected>
  readonly tokens: TokenRecords<Connected>
  readonly previews: PreviewRecords<Connected>
  readonly clipboards: ClipboardRecords<Connected>
  readonly throttle: ThrottleRecords<Connected>
  readonly settings: SettingRecords<Connected>
  readonly secrets: SecretRecords<Connected>
  readonly idempotency: IdempotencyRecords<Connected>
  readonly contentMigrations: ContentMigrationRecords<Connected>
  readonly jobs: JobRecords<Connected>
  readonly webhooks: WebhookRecords<Connected>
  readonly schedules: ScheduleRecords<Connected>
  readonly proposals: ProposalRecords<Connected>
  readonly agentCalls: AgentCallRecords<Connected>
  readonly agentMinutes: AgentMinuteRecords<Connected>
  readonly uploadLinks: UploadLinkRecords<Connected>
  readonly purges: PurgeRecords<Connected>
}

/** Reads committed content; inside a transaction, what that has changed as well. */
export interface StoreReader extends Records<Connection> {
  readonly documents: DocumentReader
  readonly versions: VersionReader
  readonly attachments: AttachmentReader
  readonly tree: TreeReader
  readonly locales: LocaleReader
}

/** Changes and reads in one transaction; see `Store.transaction`. */
export interface StoreWriter extends Records<Transaction> {
  readonly read: StoreReader
  readonly documents: DocumentWriter
  readonly versions: VersionWriter
  readonly attachments: AttachmentWriter
  readonly tree: TreeWriter
  readonly locales: LocaleWriter
}

/**
 * Where content is kept, in the words of the domain. What changes it is on `StoreWriter`, which only a transaction
 * hands out.
 */
export interface Store extends StoreReader {
  /**
   * The changes of commits, by this process and by others: all that was known when a caller was last caught up, and
   * little less than all that is known now. Null while unknown: then nothing may be answered from memory.
   */
  changes(): Changes | null
  /**
   * Returns a text that changes with every commit that changes what answers depend on, by this process or another one.
   * Null while unknown.
   */
  revision(): string | null
  /**
   * Checks whether `changes()`, `revision()` and `revocations()` are at most 25 milliseconds behind what other
   * processes have committed. Quick enough for each request, which looks by itself: what another one saw may be older.
   */
  isCaughtUp(): boolean
  /**
   * Resolves when they are; or no older than a revision that any process has named, so that a caller who has written
   * through one process reads it back through another. When that cannot be known, they are null before long.
   */
  catchUp(revision?: string): Promise<void>
  /**
   * Returns a text that changes whenever any process revokes a credential or lowers its rights. Null while unknown:
   * then cached credentials must not be used.
   */
  revocations(): string | null
  /**
   * The time by the clock of the database, which is the same for all processes, within what it takes to ask it. Their own
   * clocks may differ.
   */
  now(): Date
  /** Runs `work` in one transaction: all or nothing. Inside, everything goes through the writer it gets. */
  transaction<T>(work: (tx: StoreWriter) => Promise<T>): Promise<T>
  /**
   * Runs `work` on one snapshot of the content: what it reads, in however many statements, sees nothing of what is
   * committed meanwhile. It must not wait for anybody outside.
   */
  snapshot<T>(work: (reader: StoreReader) => Promise<T>): Promise<T>
  /** Runs `work` in one process at a time: those that start at once create missing content one after another. */
  startUp<T>(work: () => Promise<T>): Promise<T>
  /**
   * The random secret of this database, 32 bytes: for what only its own service may sign, or compare. Made when first
   * asked for; no backup has it.
   */
  secret(): Promise<Buffer>
  /** Throws when the database has not answered for some seconds, or is at another version. */
  check(): Promise<void>
  close(): Promise<void>
}

/** A store with some other members. Spreading one would lose its records, which its class has. */
export function storeWith(store: Store, members: Partial<Store>): Store {
  return Object.assign(Object.create(store), members)
}
