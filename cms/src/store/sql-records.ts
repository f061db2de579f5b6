import { announceCopies } from './changes/announced-copies.ts'
import { untracked } from './changes/dependencies.ts'
import type { Records } from './contract/store.ts'
import type { Connection } from './database/connection.ts'
import { AgentCallRecords } from './records/agent-call-records.ts'
import { AgentMinuteRecords } from './records/agent-minute-records.ts'
import { ClipboardRecords } from './records/clipboard-records.ts'
import { ContentMigrationRecords } from './records/content-migration-records.ts'
import { IdempotencyRecords } from './records/idempotency-records.ts'
import { JobRecords } from './records/job-records.ts'
import { KeyRecords } from './records/key-records.ts'
import { PreviewRecords } from './records/preview-records.ts'
import { ProposalRecords } from './records/proposal-records.ts'
import { PurgeRecords } from './records/purge-records.ts'
import { ScheduleRecords } from './records/schedule-records.ts'
import { SecretRecords, SettingRecords } from './records/setting-records.ts'
import { ThrottleRecords } from './records/throttle-records.ts'
import { TokenRecords } from './records/token-records.ts'
import { UploadLinkRecords } from './records/upload-link-records.ts'
import { WebhookRecords } from './records/webhook-records.ts'
import type { StoredForm } from './terms/stored-form.ts'

/**
 * All records on a connection, each made when it is used: few transactions need any. Its connection is a property, so
 * that an object that has another one, and this as its prototype, has the records on that one.
 */
export class SqlRecords<Connected extends Connection> implements Records<Connected> {
  readonly connection: Connected
  readonly form: StoredForm

  constructor(connection: Connected, form: StoredForm) {
    this.connection = connection
    this.form = form
  }

  get keys() {
    return untracked(new KeyRecords(this.connection))
  }

  get tokens() {
    return untracked(new TokenRecords(this.connection))
  }

  get previews() {
    return untracked(new PreviewRecords(this.connection))
  }

  get clipboards() {
    return untracked(new ClipboardRecords(this.connection))
  }

  get throttle() {
    return untracked(new ThrottleRecords(this.connection))
  }

  get settings() {
    return new SettingRecords(this.connection)
  }

  get secrets() {
    return untracked(new SecretRecords(this.connection))
  }

  get idempotency() {
    return untracked(new IdempotencyRecords(this.connection))
  }

  get contentMigrations() {
    return untracked(new ContentMigrationRecords(this.connection))
  }

  get jobs() {
    return untracked(new JobRecords(this.connection))
  }

  get webhooks() {
    return untracked(new WebhookRecords(this.connection))
  }

  get schedules() {
    return untracked(new ScheduleRecords(this.connection, announceCopies))
  }

  get proposals() {
    return untracked(new ProposalRecords(this.connection, this.form))
  }

  get agentCalls() {
    return untracked(new AgentCallRecords(this.connection))
  }

  get agentMinutes() {
    return untracked(new AgentMinuteRecords(this.connection))
  }

  get uploadLinks() {
    return untracked(new UploadLinkRecords(this.connection))
  }

  get purges() {
    return untracked(new PurgeRecords(this.connection))
  }
}
