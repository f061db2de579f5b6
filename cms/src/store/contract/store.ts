import type {
  ClipboardReader,
  ClipboardWriter,
  KeyReader,
  KeyWriter,
  PreviewReader,
  PreviewWriter,
  ThrottleReader,
  ThrottleWriter,
  TokenReader,
  TokenWriter,
} from './access-store.ts'
import type { AttachmentReader, AttachmentWriter } from './attachment-store.ts'
import type { Changes } from './changes.ts'
import type { ContentMigrationReader, ContentMigrationWriter } from './content-migration-store.ts'
import type { DocumentReader, DocumentWriter } from './document-store.ts'
import type { IdempotencyReader, IdempotencyWriter } from './idempotency-store.ts'
import type { JobReader, JobWriter } from './job-store.ts'
import type { LocaleReader, LocaleWriter } from './locale-store.ts'
import type { ScheduleReader, ScheduleWriter } from './schedule-store.ts'
import type { TreeReader, TreeWriter } from './tree-store.ts'
import type { VersionReader, VersionWriter } from './version-store.ts'
import type { WebhookReader, WebhookWriter } from './webhook-store.ts'

export type * from './access-store.ts'
export type * from './attachment-store.ts'
export { type Change, Changes, changed, type Name } from './changes.ts'
export type * from './content-migration-store.ts'
export * from './document-store.ts'
export type * from './idempotency-store.ts'
export type * from './job-store.ts'
export type * from './locale-store.ts'
export type * from './schedule-store.ts'
export {
  besideOf,
  boosted,
  type DocumentWords,
  type RecentWords,
  type SearchQuery,
  type SearchScope,
} from './search-query.ts'
export { Basis, currentSources, Sources } from './sources.ts'
export type * from './stored-form.ts'
export type * from './tree-store.ts'
export type * from './version-store.ts'
export type * from './webhook-store.ts'

/** Reads committed content; inside a transaction, what that has changed as well. */
export interface StoreReader {
  readonly documents: DocumentReader
  readonly versions: VersionReader
  readonly keys: KeyReader
  readonly tokens: TokenReader
  readonly previews: PreviewReader
  readonly clipboards: ClipboardReader
  readonly throttle: ThrottleReader
  readonly attachments: AttachmentReader
  readonly settings: SettingReader
  readonly idempotency: IdempotencyReader
  readonly tree: TreeReader
  readonly locales: LocaleReader
  readonly contentMigrations: ContentMigrationReader
  readonly jobs: JobReader
  readonly webhooks: WebhookReader
  readonly schedules: ScheduleReader
}

/**
 * Where content is kept, in the words of the domain. What changes it is on `StoreWriter`, which only a transaction
 * hands out.
 */
export interface Store extends StoreReader {
  /**
   * What commits have changed, of this process and of others: all that was known when a caller was last caught up, and
   * little less than all that is known now. Null while unknown: then nothing may be answered from memory.
   */
  changes(): Changes | null
  /**
   * Which state of the content reads see: a text that changes with every commit that changes what answers depend on,
   * made by this process or by another one. Null while unknown.
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
   * Which credentials are valid: a text that changes whenever any process revokes one or lowers its rights. Null while
   * unknown: then none may be recognized from memory.
   */
  revocations(): string | null
  /** Runs `work` in one transaction: all or nothing. Inside, everything goes through the writer it gets. */
  transaction<T>(work: (tx: StoreWriter) => Promise<T>): Promise<T>
  /**
   * Runs `work` on one snapshot of the content: what it reads, in however many statements, sees nothing of what is
   * committed meanwhile. It must not wait for anybody outside.
   */
  snapshot<T>(work: (reader: StoreReader) => Promise<T>): Promise<T>
  /** Runs `work` while no other process does: of those that start at once, one after another makes what is missing. */
  startUp<T>(work: () => Promise<T>): Promise<T>
  /** Throws when the database cannot be reached. */
  check(): Promise<void>
  close(): Promise<void>
}

/** The database cannot be used as it is, or as it is named. The message says why and what to do. */
export class UnusableDatabase extends Error {}

/** What a transaction changes, and reads; see `Store.transaction`. */
export interface StoreWriter {
  readonly read: StoreReader
  readonly documents: DocumentWriter
  readonly versions: VersionWriter
  readonly keys: KeyWriter
  readonly tokens: TokenWriter
  readonly previews: PreviewWriter
  readonly clipboards: ClipboardWriter
  readonly throttle: ThrottleWriter
  readonly attachments: AttachmentWriter
  readonly settings: SettingWriter
  readonly idempotency: IdempotencyWriter
  readonly tree: TreeWriter
  readonly locales: LocaleWriter
  readonly contentMigrations: ContentMigrationWriter
  readonly jobs: JobWriter
  readonly webhooks: WebhookWriter
  readonly schedules: ScheduleWriter
}

/** Single values that must outlast a process, by name. */
export interface SettingReader {
  get(name: string): Promise<string | null>
}

/** Changes settings. */
export interface SettingWriter {
  set(name: string, value: string): Promise<void>
  remove(name: string): Promise<void>
  /**
   * Claims work that only one process is to do, and only so often: true, and the setting becomes `now`, when it did not
   * exist or is not later than `before` (both ISO 8601).
   */
  claim(name: string, now: string, before: string): Promise<boolean>
}
