import type { StoreReader, StoreWriter } from './contract/store.ts'
import type { StoredForm } from './contract/stored-form.ts'
import type { Transaction } from './database/database.ts'
import { latePart } from './database/late-part.ts'
import { untilEnd } from './database/until-end.ts'
import { SqlAttachmentWriter } from './documents/attachment-writer.ts'
import { ContentWriter } from './documents/content-writer.ts'
import { SqlDocumentWriter } from './documents/document-writer.ts'
import { SqlKeyWriter } from './records/key-records.ts'
import { SqlSettingWriter } from './records/setting-records.ts'
import { SqlTokenWriter } from './records/token-records.ts'
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
    previews: latePart(async () => new (await import('./records/preview-records.ts')).SqlPreviewWriter(transaction)),
    clipboards: latePart(
      async () => new (await import('./records/clipboard-records.ts')).SqlClipboardWriter(transaction),
    ),
    throttle: latePart(async () => new (await import('./records/throttle-records.ts')).SqlThrottleWriter(transaction)),
    attachments: new SqlAttachmentWriter(transaction),
    settings: new SqlSettingWriter(transaction),
    idempotency: latePart(
      async () => new (await import('./records/idempotency-records.ts')).SqlIdempotencyWriter(transaction),
    ),
    tree: new SqlTreeWriter(transaction),
    locales: latePart(
      async () =>
        new (await import('./documents/locale-writer.ts')).SqlLocaleWriter(transaction, { documents, versions }),
    ),
    contentMigrations: latePart(
      async () => new (await import('./records/content-migration-records.ts')).SqlContentMigrationWriter(transaction),
    ),
    jobs: latePart(async () => new (await import('./records/job-records.ts')).SqlJobWriter(transaction)),
    webhooks: latePart(async () => new (await import('./records/webhook-records.ts')).SqlWebhookWriter(transaction)),
    schedules: latePart(async () => new (await import('./records/schedule-records.ts')).SqlScheduleWriter(transaction)),
  }
}
