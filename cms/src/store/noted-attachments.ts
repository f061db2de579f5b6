import type { DocId } from '../model/document.ts'
import { changed } from './changes.ts'
import { currentSources } from './sources.ts'
import type { Attachment, AttachmentReader, NamedAttachments, UsedAttachment } from './store.ts'

/** Reads attachments, and notes which. */
export class NotedAttachmentReader implements AttachmentReader {
  readonly #reader: AttachmentReader

  constructor(reader: AttachmentReader) {
    this.#reader = reader
  }

  byIds(ids: readonly string[]): Promise<ReadonlyMap<string, UsedAttachment>> {
    noteAttachments(ids)
    return this.#reader.byIds(ids)
  }

  following(id: string, limit: number): Promise<Attachment[]> {
    currentSources()?.noteEverything()
    return this.#reader.following(id, limit)
  }

  existing(ids: readonly string[]): Promise<Set<string>> {
    noteAttachments(ids)
    return this.#reader.existing(ids)
  }

  archived(ids: readonly string[]): Promise<Set<string>> {
    noteAttachments(ids)
    return this.#reader.archived(ids)
  }

  count(): Promise<number> {
    currentSources()?.noteEverything()
    return this.#reader.count()
  }

  countUntil(id: string): Promise<number> {
    currentSources()?.noteEverything()
    return this.#reader.countUntil(id)
  }

  async ofDocuments(docIds: readonly DocId[], indexName: string): Promise<Map<DocId, Attachment[]>> {
    noteDocuments(docIds)
    const found = await this.#reader.ofDocuments(docIds, indexName)
    noteAttachments([...found.values()].flat().map(({ id }) => id))
    return found
  }

  async named(named: NamedAttachments): Promise<Awaited<ReturnType<AttachmentReader['named']>>> {
    noteAttachments(named.ids)
    noteDocuments(named.docIds)
    const found = await this.#reader.named(named)
    noteAttachments([...found.byDocument.values()].map(({ id }) => id))
    return found
  }

  /** By versions, too. */
  unused(ids: readonly string[]): Promise<Set<string>> {
    currentSources()?.noteEverything()
    return this.#reader.unused(ids)
  }

  /** Nobody announces what is left over. */
  leftOver(ids: readonly string[]): Promise<Map<string, string>> {
    currentSources()?.noteUnknown()
    return this.#reader.leftOver(ids)
  }
}

function noteAttachments(ids: readonly string[]): void {
  const sources = currentSources()
  if (sources) for (const id of ids) sources.note(changed.attachment(id))
}

function noteDocuments(docIds: readonly DocId[]): void {
  const sources = currentSources()
  if (sources) for (const docId of docIds) sources.note(changed.document(docId))
}
