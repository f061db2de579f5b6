import { SqlAttachmentWriter } from './attachment-writer.ts'
import { ContentWriter } from './content-writer.ts'
import type { Transaction } from './database.ts'
import { SqlDocumentWriter } from './document-writer.ts'
import { SqlKeyWriter } from './keys.ts'
import { latePart } from './late-part.ts'
import { SqlSettingWriter } from './settings.ts'
import type { StoreReader, StoreWriter } from './store.ts'
import type { StoredForm } from './stored-form.ts'
import { SqlTokenWriter } from './tokens.ts'
import { SqlTreeWriter } from './tree-writer.ts'
import { untilEnd } from './until-end.ts'
import { SqlVersionWriter } from './version-writer.ts'

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
    previews: latePart(async () => new (await import('./previews.ts')).SqlPreviewWriter(transaction)),
    clipboards: latePart(async () => new (await import('./clipboards.ts')).SqlClipboardWriter(transaction)),
    throttle: latePart(async () => new (await import('./throttle.ts')).SqlThrottleWriter(transaction)),
    attachments: new SqlAttachmentWriter(transaction),
    settings: new SqlSettingWriter(transaction),
    idempotency: latePart(async () => new (await import('./idempotency.ts')).SqlIdempotencyWriter(transaction)),
    tree: new SqlTreeWriter(transaction),
    locales: latePart(
      async () => new (await import('./locale-writer.ts')).SqlLocaleWriter(transaction, { documents, versions }),
    ),
    contentMigrations: latePart(
      async () => new (await import('./content-migrations.ts')).SqlContentMigrationWriter(transaction),
    ),
    jobs: latePart(async () => new (await import('./jobs.ts')).SqlJobWriter(transaction)),
    webhooks: latePart(async () => new (await import('./webhooks.ts')).SqlWebhookWriter(transaction)),
    schedules: latePart(async () => new (await import('./schedules.ts')).SqlScheduleWriter(transaction)),
  }
}
