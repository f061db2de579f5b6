import type { Copies, DocId, Document, DocumentId, Locale, Mode, Visibility } from '../../model/terms/document.ts'
import type { SearchQuery } from './search-query.ts'
import type { Basis } from './sources.ts'

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
  /** A document with its basis, to be cached. */
  read(id: DocumentId): Promise<ReadDocument | null>
  /** Both copies; either may be missing. */
  copies(docId: DocId, locale: Locale): Promise<Copies>
  /** The documents of a view with these ids, in no particular order; one statement. */
  many(view: View, docIds: readonly DocId[]): Promise<Document[]>
  /**
   * A page of a list: one statement, and at most three more for a list that is new or has changed, whatever its length.
   */
  find(query: Query): Promise<DocumentPage>
  /** `find` without reading the documents that the caller has: `cachedBytes` gives their bytes by row number. */
  page(query: Query, cachedBytes: (row: number) => number | undefined): Promise<RowPage>
  /**
   * At most `limit` documents of a view, without their fields, by slug, after this `key`; start with ''. One statement.
   */
  bySlug(view: View, after: string, limit: number): Promise<ListedDocument[]>
  /** The references of these documents in public published copies, of this locale or without one; one statement. */
  references(docIds: readonly DocId[], locale: Locale): Promise<StoredReference[]>
  /** The documents before and after one in the order of a list; one statement. */
  neighbours(view: View, sort: readonly Sort[], docId: DocId): Promise<Neighbours>
  /** How many documents match. */
  count(query: Filter): Promise<number>
  /** The distinct values of one indexed name among the documents that match, with counts; one statement. */
  values(query: Filter, name: string): Promise<ValueCount[]>
  /** `values` of a text field, each spelled as in the oldest document that has it; one statement. */
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
  /** The documents of a view that point to each of these: newest first; one statement. */
  pointingTo(view: View, pointing: Pointing): Promise<PointingDocument[]>
  /** The documents of a scope that have a value in one of these unique fields; `value` folded. */
  byUnique(scope: Scope, names: readonly string[], value: string): Promise<Document[]>
  /** The slugs taken in a scope that begin with `stem`, except those of the document itself. */
  slugsLike(scope: Scope, stem: string, except: DocId): Promise<Set<string>>
  /**
   * The first copies after this row number that were saved since they were last indexed for search: at most `limit`,
   * and at most a megabyte in all, unless a single one is larger. Empty when there is none.
   */
  unsearched(row: number, limit: number): Promise<StoredDocument[]>
  /** The next copies among those with these row numbers, bounded like `unsearched`. */
  numbered(rows: readonly number[], row: number, limit: number): Promise<StoredDocument[]>
  /** The next copies of all, bounded like `unsearched`; start with 0. */
  following(row: number, limit: number): Promise<StoredDocument[]>
  /** The bytes of the fields of these documents in a locale, of the larger copy; one statement. */
  sizes(docIds: readonly DocId[], locale: Locale): Promise<Map<DocId, number>>
}

/** The documents before and after one in a list; null at either end. */
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

/** The facts that decide where a copy is shown, and to whom. */
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
  /** The position at which the next page of the list begins. */
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

/** Documents that others point to. */
export interface Pointing {
  /** The relationship, by the name of its index. */
  readonly name: string
  readonly docIds: readonly DocId[]
  /** The most documents for each of them. */
  readonly limit: number
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

/** A value with its text as the oldest of the documents spells it. */
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

/** The conditions of a query, without order and page. */
export type Filter = Omit<Query, 'sort' | 'offset' | 'limit'>

/** Columns that every document has. `title` and `slug` compare folded. */
export type Column = 'createdAt' | 'updatedAt' | 'title' | 'slug'

/** A condition on the documents of a list. */
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
export interface DocumentPage {
  readonly documents: Document[]
  readonly total: number
}

/** A page of a list of which some documents were not read. */
export interface RowPage extends Pick<DocumentPage, 'total'> {
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
