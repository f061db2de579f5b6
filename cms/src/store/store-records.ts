import { untracked } from './changes/tracked-reads.ts'
import type { Records } from './contract/store.ts'
import type { Connection } from './database/connection.ts'
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
