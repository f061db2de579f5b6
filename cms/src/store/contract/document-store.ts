// Longer than other files: it is the whole contract about stored documents, which both sides of it read as one. It has
// types, and one error.

import type { IndexRow } from '../../model/field-type/index-value.ts'
import type { Copies, DocId, Document, DocumentId, Locale, Mode, Visibility } from '../../model/terms/document.ts'
import type { SearchQuery } from './search-query.ts'
import type { Basis } from './sources.ts'

export type { IndexRow } from '../../model/field-type/index-value.ts'

/**
 * Identifies a list: all documents of one type in one locale and mode. The locale of types without locales is empty.
 */
export interface Scope {
  readonly type: string
  readonly locale: Locale
  readonly mode: Mode
}

/** The documents of a list that a caller may see. */
export interface View extends Scope {
  readonly archived: boolean | 'any'
  /** Null for all. */
  readonly visibility: Visibility | null
}

/** Reads documents. */
export interface DocumentReader {
  get(id: DocumentId): Promise<Document | null>
  /** The same, with its basis. */
  read(id: DocumentId): Promise<ReadDocument | null>
  /** Both copies; either may be missing. */
  copies(docId: DocId, locale: Locale): Promise<Copies>
  /** The documents of a view with these ids, in no particular order; one statement. */
  many(view: View, docIds: readonly DocId[]): Promise<Document[]>
  /**
   * A page of a list: one statement, and at most three more for a list that is new or has changed, whatever its length.
   */
  find(query: Query): Promise<Found>
  /** The same, without reading the documents whose bytes are `known` by their row number. */
  page(query: Query, known: (row: number) => number | undefined): Promise<FoundPage>
  /**
   * At most `limit` documents of a view, without their fields, by slug, after this `key`; start with ''. One statement.
   */
  bySlug(view: View, after: string, limit: number): Promise<ListedDocument[]>
  /** What these documents refer to in public published copies, of this locale or without one; one statement. */
  references(docIds: readonly DocId[], locale: Locale): Promise<StoredReference[]>
  /** The documents before and after one in the order of a list; one statement. */
  neighbours(view: View, sort: readonly Sort[], docId: DocId): Promise<Neighbours>
  /** How many documents match. */
  count(query: Filter): Promise<number>
  /** The distinct values of one indexed name among the documents that match, with counts; one statement. */
  values(query: Filter, name: string): Promise<ValueCount[]>
  /** The same for a text field, each value spelled as in the oldest document that has it; one statement. */
  writtenValues(query: Filter, name: string): Promise<WrittenValueCount[]>
  /** The documents that a relationship of the matching documents points to, with counts; one statement. */
  related(query: Filter, name: string, target: View): Promise<RelatedCount[]>
  /**
   * The copies of these documents in a mode that are not archived, in one locale or in all; also of documents without
   * locales. One statement.
   */
  outlines(docIds: readonly DocId[], scope: { readonly mode: Mode; readonly locale?: Locale }): Promise<CopyOutline[]>
  /** All copies of a document, archived ones too, in all locales; one statement. */
  everywhere(docId: DocId): Promise<CopySummary[]>
  /** Which of these ids exist, in any locale and mode, and their types; one statement. */
  types(docIds: readonly DocId[]): Promise<Map<DocId, string>>
  /**
   * The documents that point to each of these by the relationship `name`: newest first, at most `limit`; one statement.
   */
  pointingTo(view: View, name: string, docIds: readonly DocId[], limit: number): Promise<PointingDocument[]>
  /** The documents of a scope that have a value in one of these unique fields; `value` folded. */
  byUnique(scope: Scope, names: readonly string[], value: string): Promise<Document[]>
  /** The slugs taken in a scope that begin with `stem`, except those of the document itself. */
  slugsLike(scope: Scope, stem: string, except: DocId): Promise<Set<string>>
  /**
   * The first copies after this row number that were saved since they were last indexed for search: at most `limit`,
   * and at most a megabyte in all, unless a single one is larger. Empty when there is none.
   */
  unsearched(row: number, limit: number): Promise<StoredDocument[]>
  /** The same among the copies with these row numbers. */
  numbered(rows: readonly number[], row: number, limit: number): Promise<StoredDocument[]>
  /** The same among all copies; start with 0. */
  following(row: number, limit: number): Promise<StoredDocument[]>
  /** The bytes of the fields of these documents in a locale, of the larger copy; one statement. */
  sizes(docIds: readonly DocId[], locale: Locale): Promise<Map<DocId, number>>
}

/** The documents beside one in a list; null at either end. */
export interface Neighbours {
  readonly previous: Document | null
  readonly next: Document | null
}

/** A document with its row number, which index rows refer to. */
export interface StoredDocument {
  readonly row: number
  /** Copies with the same content differ in their slug and state at most. */
  readonly content: number
  readonly document: Document
}

/** What decides where a copy is shown, and to whom. */
export interface CopyOutline {
  readonly id: DocumentId
  readonly type: string
  readonly title: string
  readonly slug: string
  readonly visibility: Visibility
}

/** A document in a list, without its fields. */
export interface ListedDocument {
  readonly id: DocumentId
  readonly slug: string
  readonly title: string
  readonly updatedAt: string
  /** How many bytes its fields take where they are stored. */
  readonly bytes: number
  /** Where the next page of the list begins. */
  readonly key: string
}

/** A document or an attachment that a field of a document names. */
export interface StoredReference {
  /** The type of the document that has the field. */
  readonly type: string
  readonly kind: 'document' | 'attachment'
  /** The name of the index row (`AttachmentUse.indexName`); of documents, `*` below the top level. */
  readonly indexName: string
  readonly id: string
}

/** A copy without its fields. */
export interface CopySummary extends CopyOutline {
  readonly isArchived: boolean
  readonly updatedAt: string
  readonly lastPublishedAt: string | null
}

/** A document, and which of the requested ones it points to. */
export interface PointingDocument {
  readonly target: DocId
  readonly document: Document
}

/** A value of a field, and how many documents have it. */
export interface ValueCount {
  readonly text: string | null
  readonly number: number | null
  readonly count: number
}

/** The same, with the text as the oldest of the documents spells it. */
export interface WrittenValueCount extends ValueCount {
  readonly written: string | null
}

/** A related document, and how many point to it. */
export interface RelatedCount {
  readonly docId: DocId
  readonly title: string
  readonly slug: string
  readonly count: number
}

/** Which documents a list holds, and in what order. */
export interface Query extends View {
  /** Only these documents, and in this order when `sort` is empty. */
  readonly docIds?: readonly DocId[]
  /** All must hold. */
  readonly conditions: readonly Condition[]
  readonly search?: SearchQuery
  /** Ties are broken by row number. Empty with `search`: by relevance. */
  readonly sort: readonly Sort[]
  readonly offset: number
  readonly limit: number
}

/** What must hold, without order and page. */
export type Filter = Omit<Query, 'sort' | 'offset' | 'limit'>

/** Columns every document has, besides its indexed values. `title` and `slug` compare folded. */
export type Column = 'createdAt' | 'updatedAt' | 'title' | 'slug'

/** What must hold for a document of a list. */
export type Condition =
  /** One of the values. Texts folded by `foldText`. */
  | { readonly kind: 'equals'; readonly name: string; readonly anyOf: readonly (string | number)[] }
  | { readonly kind: 'range'; readonly name: string; readonly min?: number | string; readonly max?: number | string }
  | { readonly kind: 'column'; readonly column: Column; readonly anyOf: readonly string[] }
  | { readonly kind: 'columnRange'; readonly column: Column; readonly min?: string; readonly max?: string }
  | { readonly kind: 'visibility'; readonly anyOf: readonly Visibility[] }
  /** Points by `name` to one of the documents named by id or slug, of those that `target` shows. */
  | {
      readonly kind: 'related'
      readonly name: string
      readonly target: View
      readonly by: 'id' | 'slug'
      readonly anyOf: readonly string[]
      /** Or to nothing that `target` shows. */
      readonly orNone?: boolean
    }
  /**
   * Points by `name` to all of the documents named by id or slug; never holds when `target` does not show one of them.
   */
  | {
      readonly kind: 'relatedToAll'
      readonly name: string
      readonly target: View
      readonly by: 'id' | 'slug'
      readonly allOf: readonly string[]
    }
  /** Points by `name` to nothing that `target` shows. */
  | { readonly kind: 'unrelated'; readonly name: string; readonly target: View }
  | { readonly kind: 'never' }

/** One step of a sort order. */
export type Sort =
  | { readonly by: 'column'; readonly column: Column; readonly direction: 1 | -1 }
  | {
      readonly by: 'field'
      readonly name: string
      readonly value: 'text' | 'number'
      readonly direction: 1 | -1
    }

/** A page of a list; `total` counts the whole list. */
export interface Found {
  readonly documents: Document[]
  readonly total: number
}

/** A page of a list of which some documents were not read. */
export interface FoundPage extends Pick<Found, 'total'> {
  /** Row numbers, in the order of the list. */
  readonly rows: readonly number[]
  /** The documents that were read, by row number. */
  readonly read: ReadonlyMap<number, ReadDocument>
}

/** A document as it was read, to be cached. */
export interface ReadDocument {
  readonly row: number
  /** How many bytes its fields take where they are stored. */
  readonly bytes: number
  readonly document: Document
  readonly basis: Basis
}

/** A document to store, with its index rows. */
export interface Put {
  readonly document: Document
  readonly indexRows: readonly IndexRow[]
  /** What is stored now: only index rows that differ are written, and unique values that it has may stay. */
  readonly before: {
    readonly document: Document
    readonly indexRows: readonly IndexRow[]
    readonly unique?: readonly UniqueValue[]
  } | null
  /** Its values that no other document of its scope may have; absent where neither it nor what is stored has such fields. */
  readonly unique?: readonly UniqueValue[]
}

/** A value of a field that is declared unique: folded, so that case does not tell two apart. */
export interface UniqueValue {
  readonly name: string
  readonly value: string
}

/** Changes documents. */
export interface DocumentWriter {
  /** Reads both copies and locks them until the transaction ends. */
  lockCopies(docId: DocId, locale: Locale): Promise<Copies>
  /** The same for many documents; each is in the result. At most two statements. */
  lockMany(docIds: readonly DocId[], locale: Locale): Promise<Map<DocId, Copies>>
  /**
   * Inserts copies of one new document (one slug for all). False, and nothing written, when the slug is taken in one
   * of their scopes: the caller tries another one or reports a conflict.
   */
  insert(puts: readonly Put[]): Promise<boolean>
  /**
   * The same for many new documents of one locale. Returns those whose slug is taken, of which nothing is written.
   */
  insertMany(puts: readonly Put[]): Promise<ReadonlySet<DocId>>
  /** Replaces stored copies, or adds a copy beside one. Throws `SlugTaken` when the slug is another document's. */
  put(puts: readonly Put[]): Promise<void>
  /** Removes these copies with their index rows. */
  remove(ids: readonly DocumentId[]): Promise<void>
  /**
   * Replaces the words by which search finds documents. Documents that were saved again since their words were made
   * remain unsearched; those that another process has indexed meanwhile are left alone.
   */
  putSearchWords(rows: readonly SearchWords[]): Promise<void>
  /** Merges a little of what that has written, so that searches stay quick; whether there may be more to merge. */
  mergeSearchWords(): Promise<boolean>
  /**
   * Replaces the index rows of stored copies, and marks the copies as unsearched. Copies that were saved again since
   * they were read are left alone. Returns the unique values that other documents have: each stays, but one keeps it.
   */
  reindex(rows: readonly IndexedDocument[]): Promise<readonly TakenValue[]>
}

/** A document, and a unique field of it whose value another document has. */
export interface TakenValue {
  readonly id: DocumentId
  readonly name: string
}

/** A stored copy with its new index rows. */
export interface IndexedDocument extends Pick<StoredDocument, 'row' | 'document'> {
  readonly indexRows: readonly IndexRow[]
  readonly unique: readonly UniqueValue[]
}

/** The words of one copy: folded, separated by spaces, repeated where they weigh more. */
export interface SearchWords {
  readonly row: number
  /** The revision of the document that the words were made of. */
  readonly revision: number
  readonly words: string
}

/**
 * Another document of the same family has the slug. Nothing more can be done in the transaction: engine code turns it
 * into a `conflict`, or into another try in a new one.
 */
export class SlugTaken extends Error {}
