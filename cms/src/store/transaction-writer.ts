import { once } from '../base/lazy.ts'
import { announceCopies } from './changes/announced-copies.ts'
import { untracked } from './changes/dependencies.ts'
import type { Records, StoreReader, StoreWriter } from './contract/store.ts'
import type { Connection, Transaction } from './database/connection.ts'
import { SqlAttachmentWriter } from './documents/attachment-writer.ts'
import { ContentWriter } from './documents/content-writer.ts'
import { SqlDocumentWriter } from './documents/document-writer.ts'
import { SqlLocaleWriter } from './documents/locale-writer.ts'
import { AgentCallRecords } from './records/agent-call-records.ts'
import { AgentMinuteRecords } from './records/agent-minute-records.ts'
import { ClipboardRecords } from './records/clipboard-records.ts'
import { ContentMigrationRecords } from './records/content-migration-records.ts'
import { IdempotencyRecords } from './records/idempotency-records.ts'
import { JobRecords } from './records/job-records.ts'
import { KeyRecords } from './records/key-records.ts'
import { PreviewRecords } from './records/preview-records.ts'
import { ProposalRecords } from './records/proposal-records.ts'
import { AT_ONCE, PurgeRecords } from './records/purge-records.ts'
import { ScheduleRecords } from './records/schedule-records.ts'
import { SecretRecords, SettingRecords } from './records/setting-records.ts'
import { ThrottleRecords } from './records/throttle-records.ts'
import { TokenRecords } from './records/token-records.ts'
import { UploadLinkRecords } from './records/upload-link-records.ts'
import { WebhookRecords } from './records/webhook-records.ts'
import { type Announcement, ChangeCollector } from './terms/changes.ts'
import type { StoredForm } from './terms/stored-form.ts'
import { SqlTreeWriter } from './tree/tree-writer.ts'
import { SqlVersionWriter } from './versions/version-writer.ts'

interface WriterParts {
  readonly form: StoredForm
  /** Makes the readers on its connection. */
  readonly readerOn: (transaction: Transaction, form: StoredForm) => StoreReader
  /** Records with each commit what it changes, for a cache in front of the site (§6.8). */
  readonly recordsPurges: boolean
}

/** Does work in a transaction that has begun. */
export async function write<T>(
  transaction: Transaction,
  parts: WriterParts,
  work: (writer: StoreWriter) => Promise<T>,
): Promise<T> {
  return untilEnd(transaction, (tx) =>
    parts.recordsPurges ? recorded(tx, (tx) => work(writerOn(tx, parts))) : work(writerOn(tx, parts)),
  )
}

/** Records what a transaction changes in the transaction itself: a crash loses none of it. */
async function recorded<T>(transaction: Transaction, work: (transaction: Transaction) => Promise<T>): Promise<T> {
  const collector = new ChangeCollector()
  const changed = (announcement: Announcement) => {
    collector.add(announcement)
    transaction.changed(announcement)
  }
  const result = await work({ ...transaction, changed })
  const { change } = collector
  if (change === undefined) return result
  const names = change && [...change.names]
  await new PurgeRecords(transaction).add({ names, due: AT_ONCE, isRepeated: false })
  return result
}

/** The writers of a transaction. */
function writerOn(transaction: Transaction, { form, readerOn }: WriterParts): StoreWriter {
  const contents = new ContentWriter(transaction, form)
  const documents = new SqlDocumentWriter(transaction, form, contents)
  const versions = new SqlVersionWriter(transaction, contents)
  const read = once(() => readerOn(transaction, form))
  return {
    ...recordsOn(transaction, form),
    documents,
    versions,
    attachments: new SqlAttachmentWriter(transaction),
    tree: new SqlTreeWriter(transaction, form),
    locales: new SqlLocaleWriter(transaction, { documents, versions }),
    get read() {
      return read()
    },
  }
}

/**
 * Work in a transaction, which takes no statements after the work has ended: those would be part of another
 * transaction, or of none, and would be stored although this one was not.
 */
async function untilEnd<T>(begun: Transaction, work: (transaction: Transaction) => Promise<T>): Promise<T> {
  let hasEnded = false
  const unlessEnded = <Result>(send: () => Promise<Result>): Promise<Result> =>
    hasEnded ? Promise.reject(new Error('This transaction has ended: it takes no more statements.')) : send()
  try {
    return await work({
      ...begun,
      all: (query) => unlessEnded(() => begun.all(query)),
      varied: (query) => unlessEnded(() => begun.varied(query)),
      fixed: (query, values) => unlessEnded(() => begun.fixed(query, values)),
      send: (statement) => unlessEnded(() => begun.send(statement)),
    })
  } finally {
    hasEnded = true
  }
}

/** Returns all records on a connection. */
export function recordsOn<Connected extends Connection>(connection: Connected, form: StoredForm): Records<Connected> {
  return {
    keys: untracked(new KeyRecords(connection)),
    tokens: untracked(new TokenRecords(connection)),
    previews: untracked(new PreviewRecords(connection)),
    clipboards: untracked(new ClipboardRecords(connection)),
    throttle: untracked(new ThrottleRecords(connection)),
    settings: new SettingRecords(connection),
    secrets: untracked(new SecretRecords(connection)),
    idempotency: untracked(new IdempotencyRecords(connection)),
    contentMigrations: untracked(new ContentMigrationRecords(connection)),
    jobs: untracked(new JobRecords(connection)),
    webhooks: untracked(new WebhookRecords(connection)),
    schedules: untracked(new ScheduleRecords(connection, announceCopies)),
    proposals: untracked(new ProposalRecords(connection, form)),
    agentCalls: untracked(new AgentCallRecords(connection)),
    agentMinutes: untracked(new AgentMinuteRecords(connection)),
    uploadLinks: untracked(new UploadLinkRecords(connection)),
    purges: untracked(new PurgeRecords(connection)),
  }
}
