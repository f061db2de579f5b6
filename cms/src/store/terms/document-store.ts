// Longer than other files: it is the contract of reading and writing documents, a docstring to each method, in one place for
// whoever writes a store.

import type { IndexRow } from '../../model/field-type/value-terms.ts'
import type {
  Copies,
  DocId,
  Document,
  DocumentId,
  Locale,
  Mode,
  PublishingState,
  Visibility,
} from '../../model/terms/document.ts'
import type { SearchQuery } from './search-query.ts'
import type { Column, CommonSort, ScheduleTime, Sort } from './sorts.ts'
import type { Basis } from './sources.ts'

export type { Column, CommonSort, ScheduleTime, Sort, SortColumn } from './sorts.ts'

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
  /** Returns both copies; either may be missing. */
  copies(docId: DocId, locale: Locale): Promise<Copies>
  /** The documents of a view with these ids, in no particular order; one statement. */
  many(view: View, docIds: readonly DocId[]): Promise<Document[]>
  /**
   * A page of a list: one statement, and at most three more for a list that is new or has changed, whatever its length.
   */
  find(query: Query): Promise<DocumentPage>
  /** `find` without reading the documents that the caller has: `cachedBytes` gives their bytes by row number. */
  page(query: Query, cachedBytes: (row: number) => number | undefined): Promise<RowPage>
  /** `find` for the ids alone: no document is read. */
  ids(query: Query): Promise<IdPage>
  /** Returns at most `limit` documents of a view without fields, by slug, after `key`; start with ''. One statement. */
  bySlug(view: View, after: string, limit: number): Promise<ListedDocument[]>
  /** The references of these documents in public published copies, of this locale or without one; one statement. */
  references(docIds: readonly DocId[], locale: Locale): Promise<StoredReference[]>
  /** The documents before and after one in the order of a list; one statement. */
  neighbours(view: View, sort: readonly Sort[], docId: DocId): Promise<Neighbours>
  /** Counts the documents that match. */
  count(query: Filter): Promise<number>
  /** Counts the documents that match by state, each state that there is. */
  states(query: Filter): Promise<StateCount[]>
  /** A page of what several filters find, of any types. */
  across(query: AcrossQuery): Promise<FoundDocument[]>
  /** A page of the documents that refer to one, the newest first; one statement. */
  using(query: UsesQuery): Promise<UsingPage>
  /** Counts what each of several filters finds, by type and state. */
  tally(filters: readonly Filter[]): Promise<TypeStateCount[]>
  /** The documents of these rows that are still there, in any order; one statement. */
  ofRows(rows: readonly number[]): Promise<ReadDocument[]>
  /** The distinct values of one indexed name among the documents that match, with counts; one statement. */
  values(query: Filter, name: string): Promise<ValueCount[]>
  /** The extensions of the files in one attachment field of the documents that match, with counts; one statement. */
  extensions(query: Filter, name: string): Promise<ValueCount[]>
  /** `values` of a text field, each spelled as in the oldest document that has it; one statement. */
  writtenValues(query: Filter, name: string): Promise<WrittenValueCount[]>
  /**
   * The documents that a relationship of the matching documents points to, with counts; one statement. Where several
   * targets are named by slug, those that share one count as one.
   */
  related(query: Filter, name: string, targets: readonly RelatedTarget[]): Promise<RelatedCount[]>
  /**
   * The copies of these documents in a mode that are not archived, in one locale or in all; also of documents without
   * locales. One statement.
   */
  outlines(docIds: readonly DocId[], scope: { readonly mode: Mode; readonly locale?: Locale }): Promise<CopyOutline[]>
  /** Returns all copies of a document, archived ones too, in all locales; one statement. */
  everywhere(docId: DocId): Promise<CopySummary[]>
  /** Returns the types of the ids that exist, in any locale and mode; one statement. */
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
  /** Indexed words that may differ from this one by one mistake, whosever they are. */
  spellingsLike(word: string): Promise<string[]>
  /** The next copies among those with these row numbers, bounded like `unsearched`. */
  numbered(rows: readonly number[], row: number, limit: number): Promise<StoredDocument[]>
  /** The next copies of all, bounded like `unsearched`; start with 0. */
  following(row: number, limit: number): Promise<StoredDocument[]>
  /** The bytes of the fields of these documents in a locale, of the larger copy; one statement. */
  sizes(docIds: readonly DocId[], locale: Locale): Promise<Map<DocId, number>>
  /** The row numbers of some copies, drawn at random. */
  randomRows(count: number): Promise<number[]>
  /** The row numbers of the copies that the index holds otherwise than with these rows; one statement. */
  indexedOtherwise(copies: readonly IndexedCopy[]): Promise<number[]>
}

/** A stored copy with the rows by which lists are to find it. */
export interface IndexedCopy extends Pick<StoredDocument, 'row' | 'document'> {
  readonly indexRows: readonly IndexRow[]
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
  /** How often the titles have changed that search finds it by. */
  readonly titleChanges: number
  /** A process of a former site has stored it: its index rows may be others than those of this site. */
  readonly isOfFormerSite: boolean
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
  readonly type: string
  readonly title: string
  readonly slug: string
  readonly count: number
}

/** Selects the documents of a list, and their order. */
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

/** A document of any type in a list, without its fields. */
export interface FoundDocument {
  readonly row: number
  /** How many bytes its fields take where they are stored. */
  readonly bytes: number
  readonly id: DocumentId
  readonly type: string
  /** Of its draft. */
  readonly state: PublishingState
  /** Of a page: the ids from the home page down to it, with `/` between. */
  readonly path: string | null
}

/** Selects documents of several lists: each filter finds those of one. */
export interface AcrossQuery {
  readonly filters: readonly Filter[]
  readonly sort: CommonSort
  readonly offset: number
  readonly limit: number
}

/** A name by which documents of a list may have references in the index. */
export interface ReferenceName extends Omit<Scope, 'mode'> {
  readonly kind: 'document' | 'attachment'
  readonly name: string
  /** Whether archived documents count. */
  readonly isOfArchived: boolean
}

/** Such a reference, and what it leads to. */
export interface IndexedReference extends ReferenceName {
  readonly id: string
}

/** Selects the documents that have one of these references in either copy, but one. */
export interface UsesQuery {
  readonly references: readonly IndexedReference[]
  readonly except: DocId
  readonly offset: number
  readonly limit: number
}

/** A document that refers to another one: its draft, where it has one. */
export interface UsingDocument extends FoundDocument {
  /** The published copy, beside a draft. */
  readonly publishedRow: number | null
}

/** A page of them; `total` counts all. */
export interface UsingPage {
  readonly documents: readonly UsingDocument[]
  readonly total: number
}

/** How many documents of a type are in a state. */
export interface TypeStateCount extends StateCount {
  readonly type: string
}

/** A state, and how many documents are in it. */
export interface StateCount {
  readonly state: PublishingState
  readonly count: number
}

/** Bounds of a range: `min` and `max` belong to it, `above` and `below` do not. */
export interface Bounds<Value> {
  readonly min?: Value
  readonly max?: Value
  readonly above?: Value
  readonly below?: Value
}

/** Related documents of one type that count, and how they are named. */
export interface RelatedTarget {
  readonly view: View
  readonly by: 'id' | 'slug'
}

/** A relationship, and the documents of each type that it is compared with. */
interface Targets {
  readonly name: string
  readonly targets: readonly RelatedTarget[]
}

/** A condition on the documents of a list. */
export type Condition =
  /** One of the values. Texts folded by `foldText`. */
  | { readonly kind: 'equals'; readonly name: string; readonly anyOf: readonly (string | number)[] }
  | ({ readonly kind: 'range'; readonly name: string } & Bounds<number | string>)
  /** A value that begins with a text, or contains it; folded by `foldText`. */
  | { readonly kind: 'text'; readonly name: string; readonly is: TextMatch; readonly text: string }
  /** Any value. */
  | { readonly kind: 'filled'; readonly name: string }
  | { readonly kind: 'column'; readonly column: Column; readonly anyOf: readonly string[] }
  | ({ readonly kind: 'columnRange'; readonly column: Column } & Bounds<string>)
  | { readonly kind: 'columnText'; readonly column: 'title' | 'slug'; readonly is: TextMatch; readonly text: string }
  | { readonly kind: 'visibility'; readonly anyOf: readonly Visibility[] }
  | { readonly kind: 'state'; readonly anyOf: readonly PublishingState[] }
  /** Saved last by one of these users or keys. */
  | { readonly kind: 'updatedBy'; readonly anyOf: readonly string[] }
  /** A time of its schedule, in milliseconds since 1970: any, one of some, or one within bounds. */
  | ({ readonly kind: 'scheduled'; readonly time: ScheduleTime; readonly anyOf?: readonly number[] } & Bounds<number>)
  /** Points by `name` to one of the named documents among the targets, or (`orNone`) to nothing that they show. */
  | ({ readonly kind: 'related'; readonly anyOf: readonly string[]; readonly orNone?: boolean } & Targets)
  /** Points by `name` to all of the named documents; never holds when the targets do not show one of them. */
  | ({ readonly kind: 'relatedToAll'; readonly allOf: readonly string[] } & Targets)
  /** Points by `name` to nothing that the targets show. */
  | ({ readonly kind: 'unrelated' } & Targets)
  /** A document has a reference of these names to it, or another one to the file in its field `attachment`. */
  | { readonly kind: 'used'; readonly references: readonly ReferenceName[] }
  /** Another locale has no copy of it, or one that was saved before it was last published. */
  | (Omit<Scope, 'mode'> & { readonly kind: 'missingIn' | 'outdatedIn'; readonly isOfArchived: boolean })
  /** The file in the attachment field `name` has one of these extensions. */
  | { readonly kind: 'extension'; readonly name: string; readonly anyOf: readonly string[] }
  /** The image in the attachment field `name` has so many pixels. */
  | ({ readonly kind: 'pixels'; readonly name: string; readonly side: 'width' | 'height' } & Bounds<number>)
  | Through
  | { readonly kind: 'all' | 'any'; readonly of: readonly Condition[] }
  | { readonly kind: 'not'; readonly of: Condition }
  | { readonly kind: 'never' }

/**
 * Holds for a document when `of` holds for one that it points to by `name`, or (`backward`) one that points to it, among
 * those that `target` shows.
 */
export interface Through {
  readonly kind: 'through'
  readonly direction: 'forward' | 'backward'
  readonly name: string
  readonly target: View
  readonly of: Condition
}

/** How a text is found in a value: at its beginning, or anywhere. */
export type TextMatch = 'beginning' | 'part'
/** A page of a list; `total` counts the whole list. */
export interface DocumentPage {
  readonly documents: Document[]
  readonly total: number
}

/** The ids of a page of a list, in its order. */
export interface IdPage extends Pick<DocumentPage, 'total'> {
  readonly docIds: readonly DocId[]
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
