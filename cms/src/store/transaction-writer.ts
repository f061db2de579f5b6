import type { StoreReader, StoreWriter } from './contract/store.ts'
import type { Transaction } from './database/connection.ts'
import { SqlAttachmentWriter } from './documents/attachment-writer.ts'
import { ContentWriter } from './documents/content-writer.ts'
import { SqlDocumentWriter } from './documents/document-writer.ts'
import { SqlLocaleWriter } from './documents/locale-writer.ts'
import { AT_ONCE, PurgeRecords } from './records/purge-records.ts'
import { SqlRecords } from './sql-records.ts'
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
    parts.recordsPurges ? recorded(tx, (tx) => work(new SqlWriter(tx, parts))) : work(new SqlWriter(tx, parts)),
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
class SqlWriter extends SqlRecords<Transaction> implements StoreWriter {
  readonly documents: SqlDocumentWriter
  readonly versions: SqlVersionWriter
  readonly #readerOn: WriterParts['readerOn']
  #read: StoreReader | null = null

  constructor(transaction: Transaction, { form, readerOn }: WriterParts) {
    super(transaction, form)
    const contents = new ContentWriter(transaction, form)
    this.documents = new SqlDocumentWriter(transaction, form, contents)
    this.versions = new SqlVersionWriter(transaction, contents)
    this.#readerOn = readerOn
  }

  get read() {
    this.#read ??= this.#readerOn(this.connection, this.form)
    return this.#read
  }

  get attachments() {
    return new SqlAttachmentWriter(this.connection)
  }

  get tree() {
    return new SqlTreeWriter(this.connection, this.form)
  }

  get locales() {
    return new SqlLocaleWriter(this.connection, this)
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
