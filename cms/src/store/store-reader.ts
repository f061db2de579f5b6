import { trackedAttachments, trackedDocuments, trackedTree, trackedVersions } from './changes/dependencies.ts'
import { ReadCache } from './changes/read-cache.ts'
import { untracked } from './changes/tracked-reads.ts'
import type { Records, StoreReader } from './contract/store.ts'
import type { Connection } from './database/connection.ts'
import { type AttachmentCache, SqlAttachmentReader } from './documents/attachment-reader.ts'
import { SqlDocumentReader } from './documents/document-reader.ts'
import { SqlLocaleReader } from './documents/locale-reader.ts'
import { ClipboardRecords } from './records/clipboard-records.ts'
import { ContentMigrationRecords } from './records/content-migration-records.ts'
import { IdempotencyRecords } from './records/idempotency-records.ts'
import { JobRecords } from './records/job-records.ts'
import { KeyRecords } from './records/key-records.ts'
import { PreviewRecords } from './records/preview-records.ts'
import { ScheduleRecords } from './records/schedule-records.ts'
import { SettingRecords } from './records/setting-records.ts'
import { ThrottleRecords } from './records/throttle-records.ts'
import { TokenRecords } from './records/token-records.ts'
import { WebhookRecords } from './records/webhook-records.ts'
import type { Changes } from './terms/changes.ts'
import type { StoredForm } from './terms/stored-form.ts'
import { SqlTreeReader } from './tree/tree-reader.ts'
import { SqlVersionReader } from './versions/version-reader.ts'

const ATTACHMENTS_BYTES = 2 * 1024 * 1024

/** The readers on a connection, whose reads are recorded in the sources of the current work, and its records. */
export function readerOn(
  connection: Connection,
  form: StoredForm,
  changes: () => Changes | null = () => null,
): StoreReader {
  return Object.assign(recordsOn(connection), {
    documents: trackedDocuments(new SqlDocumentReader(connection, form, changes)),
    versions: trackedVersions(new SqlVersionReader(connection, form)),
    attachments: trackedAttachments(new SqlAttachmentReader(connection, newAttachmentCache(changes))),
    tree: trackedTree(new SqlTreeReader(connection, form, changes)),
    locales: untracked(new SqlLocaleReader(connection)),
  })
}

function newAttachmentCache(changes: () => Changes | null): AttachmentCache {
  return new ReadCache({ changes, maxBytes: ATTACHMENTS_BYTES, bytesOf: ({ uses }) => 1000 + 300 * uses.length })
}

/** All records on a connection, each made when it is used: few transactions need any. */
export function recordsOn<Connected extends Connection>(connection: Connected): Records<Connected> {
  return {
    get keys() {
      return untracked(new KeyRecords(connection))
    },
    get tokens() {
      return untracked(new TokenRecords(connection))
    },
    get previews() {
      return untracked(new PreviewRecords(connection))
    },
    get clipboards() {
      return untracked(new ClipboardRecords(connection))
    },
    get throttle() {
      return untracked(new ThrottleRecords(connection))
    },
    get settings() {
      return new SettingRecords(connection)
    },
    get idempotency() {
      return untracked(new IdempotencyRecords(connection))
    },
    get contentMigrations() {
      return untracked(new ContentMigrationRecords(connection))
    },
    get jobs() {
      return untracked(new JobRecords(connection))
    },
    get webhooks() {
      return untracked(new WebhookRecords(connection))
    },
    get schedules() {
      return untracked(new ScheduleRecords(connection))
    },
  }
}
