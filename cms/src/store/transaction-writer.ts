import type { StoreReader, StoreWriter } from './contract/store.ts'
import type { StoredForm } from './contract/stored-form.ts'
import type { Transaction } from './database/database.ts'
import { untilEnd } from './database/until-end.ts'
import { SqlAttachmentWriter } from './documents/attachment-writer.ts'
import { ContentWriter } from './documents/content-writer.ts'
import { SqlDocumentWriter } from './documents/document-writer.ts'
import { SqlLocaleWriter } from './documents/locale-writer.ts'
import { SqlClipboardWriter } from './records/clipboard-records.ts'
import { SqlContentMigrationWriter } from './records/content-migration-records.ts'
import { SqlIdempotencyWriter } from './records/idempotency-records.ts'
import { SqlJobWriter } from './records/job-records.ts'
import { SqlKeyWriter } from './records/key-records.ts'
import { SqlPreviewWriter } from './records/preview-records.ts'
import { SqlScheduleWriter } from './records/schedule-records.ts'
import { SqlSettingWriter } from './records/setting-records.ts'
import { SqlThrottleWriter } from './records/throttle-records.ts'
import { SqlTokenWriter } from './records/token-records.ts'
import { SqlWebhookWriter } from './records/webhook-records.ts'
import { SqlTreeWriter } from './tree/tree-writer.ts'
import { SqlVersionWriter } from './versions/version-writer.ts'

/** What the writers of a transaction are made with. */
interface WriterParts {
  readonly form: StoredForm
  /** Makes the readers on its connection. */
  readonly readerOn: (transaction: Transaction, form: StoredForm) => StoreReader
}

/** Does work in a transaction that has begun. */
export async function write<T>(
  transaction: Transaction,
  parts: WriterParts,
  work: (writer: StoreWriter) => Promise<T>,
): Promise<T> {
  return untilEnd(transaction, (tx) => work(writerOn(tx, parts)))
}

/** What one transaction writes with. */
function writerOn(transaction: Transaction, { form, readerOn }: WriterParts): StoreWriter {
  const contents = new ContentWriter(transaction, form)
  const documents = new SqlDocumentWriter(transaction, form, contents)
  const versions = new SqlVersionWriter(transaction, contents)
  return {
    read: readerOn(transaction, form),
    documents,
    versions,
    keys: new SqlKeyWriter(transaction),
    tokens: new SqlTokenWriter(transaction),
    previews: new SqlPreviewWriter(transaction),
    clipboards: new SqlClipboardWriter(transaction),
    throttle: new SqlThrottleWriter(transaction),
    attachments: new SqlAttachmentWriter(transaction),
    settings: new SqlSettingWriter(transaction),
    idempotency: new SqlIdempotencyWriter(transaction),
    tree: new SqlTreeWriter(transaction),
    locales: new SqlLocaleWriter(transaction, { documents, versions }),
    contentMigrations: new SqlContentMigrationWriter(transaction),
    jobs: new SqlJobWriter(transaction),
    webhooks: new SqlWebhookWriter(transaction),
    schedules: new SqlScheduleWriter(transaction),
  }
}
