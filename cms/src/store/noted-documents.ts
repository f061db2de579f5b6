import type { Copies, DocId, Document, DocumentId, Locale, Mode } from '../model/document.ts'
import { changed, type Name } from './changes.ts'
import { namesOf, valuesOf } from './query-names.ts'
import { currentSources, type Sources } from './sources.ts'
import type {
  CopyOutline,
  CopySummary,
  DocumentReader,
  Filter,
  Found,
  FoundPage,
  ListedDocument,
  Neighbours,
  PointingDocument,
  Query,
  ReadDocument,
  RelatedCount,
  Scope,
  Sort,
  StoredDocument,
  StoredReference,
  ValueCount,
  View,
  WrittenValueCount,
} from './store.ts'

/** Reads documents, and notes what of them. */
export class NotedDocumentReader implements DocumentReader {
  readonly #reader: DocumentReader

  constructor(reader: DocumentReader) {
    this.#reader = reader
  }

  get(id: DocumentId): Promise<Document | null> {
    currentSources()?.note(changed.copy(id))
    return this.#reader.get(id)
  }

  read(id: DocumentId): Promise<ReadDocument | null> {
    currentSources()?.note(changed.copy(id))
    return this.#reader.read(id)
  }

  copies(docId: DocId, locale: Locale): Promise<Copies> {
    currentSources()?.note(changed.copy({ docId, locale, mode: 'draft' }))
    currentSources()?.note(changed.copy({ docId, locale, mode: 'published' }))
    return this.#reader.copies(docId, locale)
  }

  many(view: View, docIds: readonly DocId[]): Promise<Document[]> {
    const sources = currentSources()
    if (sources) noteCopies(sources, view, docIds)
    return this.#reader.many(view, docIds)
  }

  find(query: Query): Promise<Found> {
    noteFilter(query)
    return this.#reader.find(query)
  }

  page(query: Query, known: (row: number) => number | undefined): Promise<FoundPage> {
    noteFilter(query)
    return this.#reader.page(query, known)
  }

  bySlug(view: View, after: string, limit: number): Promise<ListedDocument[]> {
    currentSources()?.note(changed.list(view))
    return this.#reader.bySlug(view, after, limit)
  }

  references(docIds: readonly DocId[], locale: Locale): Promise<StoredReference[]> {
    noteDocuments(docIds)
    return this.#reader.references(docIds, locale)
  }

  neighbours(view: View, sort: readonly Sort[], docId: DocId): Promise<Neighbours> {
    currentSources()?.note(changed.list(view))
    return this.#reader.neighbours(view, sort, docId)
  }

  count(query: Filter): Promise<number> {
    noteFilter(query)
    return this.#reader.count(query)
  }

  values(query: Filter, name: string): Promise<ValueCount[]> {
    noteFilter(query)
    return this.#reader.values(query, name)
  }

  writtenValues(query: Filter, name: string): Promise<WrittenValueCount[]> {
    noteFilter(query)
    return this.#reader.writtenValues(query, name)
  }

  related(query: Filter, name: string, target: View): Promise<RelatedCount[]> {
    noteFilter(query)
    currentSources()?.note(changed.list(target))
    return this.#reader.related(query, name, target)
  }

  outlines(docIds: readonly DocId[], scope: { readonly mode: Mode; readonly locale?: Locale }): Promise<CopyOutline[]> {
    noteDocuments(docIds)
    return this.#reader.outlines(docIds, scope)
  }

  everywhere(docId: DocId): Promise<CopySummary[]> {
    noteDocuments([docId])
    return this.#reader.everywhere(docId)
  }

  types(docIds: readonly DocId[]): Promise<Map<DocId, string>> {
    noteDocuments(docIds)
    return this.#reader.types(docIds)
  }

  pointingTo(view: View, name: string, docIds: readonly DocId[], limit: number): Promise<PointingDocument[]> {
    const sources = currentSources()
    if (sources) noteAll(sources, valuesOf(view, name, docIds) ?? [changed.list(view)])
    return this.#reader.pointingTo(view, name, docIds, limit)
  }

  byUnique(scope: Scope, names: readonly string[], value: string): Promise<Document[]> {
    currentSources()?.note(changed.list(scope))
    return this.#reader.byUnique(scope, names, value)
  }

  slugsLike(scope: Scope, stem: string, except: DocId): Promise<Set<string>> {
    currentSources()?.noteEverything()
    return this.#reader.slugsLike(scope, stem, except)
  }

  /** What search has yet to index says nothing of content. */
  unsearched(row: number, limit: number): Promise<StoredDocument[]> {
    return this.#reader.unsearched(row, limit)
  }

  /** Those that were changed: what asks for them depends on their list. */
  numbered(rows: readonly number[], row: number, limit: number): Promise<StoredDocument[]> {
    return this.#reader.numbered(rows, row, limit)
  }

  following(row: number, limit: number): Promise<StoredDocument[]> {
    currentSources()?.noteEverything()
    return this.#reader.following(row, limit)
  }

  sizes(docIds: readonly DocId[], locale: Locale): Promise<Map<DocId, number>> {
    noteDocuments(docIds)
    return this.#reader.sizes(docIds, locale)
  }
}

function noteAll(sources: Sources, names: Iterable<Name>): void {
  for (const name of names) sources.note(name)
}

function noteDocuments(docIds: readonly DocId[]): void {
  const sources = currentSources()
  if (sources) noteAll(sources, docIds.map(changed.document))
}

/** Those that are not there, or are not shown, are asked for, too. */
function noteCopies(sources: Sources, { locale, mode }: View, docIds: readonly DocId[]): void {
  for (const docId of docIds) sources.note(changed.copy({ docId, locale, mode }))
}

function noteFilter(query: Filter): void {
  const sources = currentSources()
  if (!sources) return
  noteAll(sources, namesOf(query))
}
