import { foldText } from '../base/text.ts'
import type { Copies, DocId, Document, DocumentId, Locale, Mode } from '../model/document.ts'
import { changed, type Name } from './changes.ts'
import type { Filter } from './query.ts'
import { currentSources, type Sources } from './sources.ts'
import type {
  Condition,
  CopyOutline,
  CopySummary,
  DocumentReader,
  Found,
  ListedDocument,
  Neighbours,
  PointingDocument,
  Query,
  RelatedCount,
  Scope,
  Sort,
  StoredDocument,
  StoredReference,
  ValueCount,
  View,
  WrittenValueCount,
} from './store.ts'

/** What is asked for by more values than this depends on the whole list. */
const MOST_VALUES = 100

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
  for (const condition of query.conditions) noteAll(sources, targetsOf(condition))
  noteAll(sources, narrowest(query))
}

/**
 * The names of what decides which documents match, and in what order. Whatever is written of a document that has a value
 * is announced by this value, so one condition is enough that all of them fulfil: the one with the fewest values.
 */
function narrowest(query: Filter): readonly Name[] {
  let fewest: readonly Name[] | null = null
  const choices = query.conditions.map((condition) => namesOf(query, condition))
  if (query.docIds !== undefined && query.docIds.length <= MOST_VALUES) {
    const { locale, mode } = query
    choices.push(query.docIds.map((docId) => changed.copy({ docId, locale, mode })))
  }
  for (const names of choices)
    if (names !== null && names.length < (fewest?.length ?? Number.POSITIVE_INFINITY)) fewest = names
  return fewest ?? [changed.list(query)]
}

/** The names of all documents that fulfil a condition; null: they have none in common. */
function namesOf(scope: Scope, condition: Condition): readonly Name[] | null {
  switch (condition.kind) {
    case 'never':
      return []
    case 'equals':
      return valuesOf(scope, condition.name, condition.anyOf)
    case 'column':
      if (condition.column !== 'slug' || condition.anyOf.length > MOST_VALUES) return null
      return condition.anyOf.map((slug) => changed.slug(scope, foldText(slug)))
    case 'related':
      return condition.by === 'id' && !condition.orNone ? valuesOf(scope, condition.name, condition.anyOf) : null
    case 'relatedToAll':
      return condition.by === 'id' ? valuesOf(scope, condition.name, condition.allOf.slice(0, 1)) : null
    default:
      return null
  }
}

function valuesOf(scope: Scope, name: string, values: readonly (string | number)[]): readonly Name[] | null {
  return values.length > MOST_VALUES ? null : values.map((value) => changed.value(scope, name, value))
}

/** The names of what a condition asks of other documents. */
function targetsOf(condition: Condition): readonly Name[] {
  switch (condition.kind) {
    case 'unrelated':
      return [changed.list(condition.target)]
    case 'related':
    case 'relatedToAll': {
      const { target, by } = condition
      const asked = condition.kind === 'related' ? condition.anyOf : condition.allOf
      const isAny = (condition.kind === 'related' && condition.orNone) || asked.length > MOST_VALUES
      if (isAny) return [changed.list(target)]
      if (by === 'slug') return asked.map((slug) => changed.slug(target, foldText(slug)))
      return asked.map((docId) => changed.copy({ docId, locale: target.locale, mode: target.mode }))
    }
    default:
      return []
  }
}
