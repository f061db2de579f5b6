import type { DocId, Document } from '../model/document.ts'
import { Attachments } from './attachments.ts'
import { Recent } from './database.ts'
import type { Dialect } from './dialect.ts'
import { Documents } from './documents.ts'
import { Totals } from './lists.ts'
import { scopeKey, toDocument } from './rows.ts'
import type { ContentConnection } from './statement.ts'
import type { UsedAttachment, View } from './store.ts'
import type { DocumentRow } from './tables.ts'

/** What is kept of one state while a long answer is made of it: it is read in parts, and many name the same. */
const KEPT = 2000

/** Documents of one moment: related ones are read once, however many parts of an answer show them. */
export class DocumentsOfOneState extends Documents {
  readonly #rows = new Recent<string, DocumentRow | 'none'>(KEPT)

  constructor(connection: ContentConnection, dialect: Dialect) {
    super(connection, dialect, () => null, new Totals())
  }

  override async many(view: View, docIds: readonly DocId[]): Promise<Document[]> {
    const keyOf = (docId: DocId) => `${scopeKey(view)} ${view.archived} ${view.visibility} ${docId}`
    const known = new Map(docIds.map((docId) => [docId, this.#rows.get(keyOf(docId))]))
    const unknown = docIds.filter((docId) => known.get(docId) === undefined)
    const read = new Map((await this.rowsOf(view, unknown)).map((row) => [row.doc_id, row]))
    for (const docId of unknown) this.#rows.set(keyOf(docId), read.get(docId) ?? 'none')
    return docIds.flatMap((docId) => {
      const row = read.get(docId) ?? known.get(docId)
      return row === undefined || row === 'none' ? [] : [toDocument(row, this.connection.form)]
    })
  }
}

/** Uploaded files of one moment, read once each. */
export class AttachmentsOfOneState extends Attachments {
  readonly #known = new Recent<string, UsedAttachment | 'none'>(KEPT)

  override async byIds(ids: readonly string[]): Promise<Map<string, UsedAttachment>> {
    const known = new Map(ids.map((id) => [id, this.#known.get(id)]))
    const unknown = ids.filter((id) => known.get(id) === undefined)
    const read = await super.byIds(unknown)
    for (const id of unknown) this.#known.set(id, read.get(id) ?? 'none')
    for (const [id, used] of known) if (used !== undefined && used !== 'none') read.set(id, used)
    return read
  }
}
