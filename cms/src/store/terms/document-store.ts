import type { IndexRow } from '../../model/field-type/value-terms.ts'
import type { Copies, Document } from '../../model/terms/document.ts'
import type { DocId, DocumentId, Locale, Mode, PublishingState, Visibility } from '../../model/terms/document-id.ts'
import type {
  AcrossQuery,
  Filter,
  Pointing,
  Query,
  RelatedTarget,
  Scope,
  Sort,
  UsesQuery,
  View,
} from './document-query.ts'
import type { Basis } from './sources.ts'

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
  /** The copies of these documents, also of those without locales; one statement. */
  outlines(docIds: readonly DocId[], scope: OutlineScope): Promise<CopyOutline[]>
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
  /** Indexed words of any documents that may differ from this one by one mistake. */
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

/** Which copies are outlined: those in a mode that are not archived, or all in it, in one locale or in all. */
export interface OutlineScope {
  readonly mode: Mode
  readonly locale?: Locale
  readonly archived?: 'any'
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

/** A document that refers to another one: its draft, where it has one. */
export interface UsingDocument extends FoundDocument {
  /** The published copy of a draft; null where there is none. */
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
