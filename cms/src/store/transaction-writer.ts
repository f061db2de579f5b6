import type { StoreReader, StoreWriter } from './contract/store.ts'
import type { Transaction } from './database/connection.ts'
import { untilEnd } from './database/until-end.ts'
import { SqlAttachmentWriter } from './documents/attachment-writer.ts'
import { ContentWriter } from './documents/content-writer.ts'
import { SqlDocumentWriter } from './documents/document-writer.ts'
import { SqlLocaleWriter } from './documents/locale-writer.ts'
import { recordsOn } from './store-records.ts'
import type { StoredForm } from './terms/stored-form.ts'
import { SqlTreeWriter } from './tree/tree-writer.ts'
import { SqlVersionWriter } from './versions/version-writer.ts'

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

function writerOn(transaction: Transaction, { form, readerOn }: WriterParts): StoreWriter {
  const contents = new ContentWriter(transaction, form)
  const documents = new SqlDocumentWriter(transaction, form, contents)
  const versions = new SqlVersionWriter(transaction, contents)
  const writers = {
    read: readerOn(transaction, form),
    documents,
    versions,
    attachments: new SqlAttachmentWriter(transaction),
    tree: new SqlTreeWriter(transaction),
    locales: new SqlLocaleWriter(transaction, { documents, versions }),
  }
  return Object.assign(recordsOn(transaction), writers)
}
