import type { IndexRow } from '../../model/field-type/value-terms.ts'
import type { Document, OpenCopies, OpenDocument } from '../../model/terms/document.ts'
import type { DocId, DocumentId, Locale } from '../../model/terms/document-id.ts'

export type { IndexRow } from '../../model/field-type/value-terms.ts'

/** A document to store, with its index rows. */
export interface Put {
  readonly document: OpenDocument
  readonly indexRows: readonly IndexRow[]
  /** The stored state: only index rows that differ are written, and unique values that it has may stay. */
  readonly before: {
    readonly document: OpenDocument
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
  lockCopies(docId: DocId, locale: Locale): Promise<OpenCopies>
  /** `lockCopies` for many documents; each is in the result. At most two statements. */
  lockMany(docIds: readonly DocId[], locale: Locale): Promise<Map<DocId, OpenCopies>>
  /**
   * Inserts copies of one new document (one slug for all). False, and nothing written, when the slug is taken in one
   * of their scopes: the caller tries another one or reports a conflict.
   */
  insert(puts: readonly Put[]): Promise<boolean>
  /**
   * Inserts many new documents of one locale. Returns those whose slug is taken, of which nothing is written.
   */
  insertMany(puts: readonly Put[]): Promise<ReadonlySet<DocId>>
  /** Replaces stored copies, or adds the other copy of a document. Throws `SlugTaken` when the slug is another document's. */
  put(puts: readonly Put[]): Promise<void>
  /** Removes these copies with their index rows. */
  remove(ids: readonly DocumentId[]): Promise<void>
  /**
   * Replaces the words by which search finds documents. Documents that were saved again since their words were made,
   * or whose related titles have changed, remain unsearched; those that another process has indexed meanwhile are left
   * alone, and so are, of several, those that others have locked. With `isRebuilt`, also replaces the words of documents
   * that do not wait for it, whatever the index holds. Returns the row numbers of those that were replaced.
   */
  putSearchWords(rows: readonly SearchWords[], options?: { readonly isRebuilt: boolean }): Promise<ReadonlySet<number>>
  /** Adds words to those that may stand for mistyped ones. */
  addSpellings(words: readonly string[]): Promise<void>
  /** Merges a little of what that has written, so that searches stay quick; whether there may be more to merge. */
  mergeSearchWords(): Promise<boolean>
  /**
   * Replaces the index rows and unique values of copies whose words this transaction has just put, so that nobody else
   * saves them meanwhile. Returns the unique values that other documents have: each stays, but one keeps it.
   */
  reindex(rows: readonly IndexedDocument[]): Promise<readonly TakenValue[]>
}

/** A document, and a unique field of it whose value another document has. */
export interface TakenValue {
  readonly id: DocumentId
  readonly name: string
}

/** A stored copy with its new index rows. */
export interface IndexedDocument {
  readonly row: number
  readonly document: Document
  readonly indexRows: readonly IndexRow[]
  readonly unique: readonly UniqueValue[]
}

/** The words of one copy: folded, separated by spaces, repeated where they weigh more. */
export interface SearchWords {
  readonly row: number
  /** The revision of the document that the words were made of. */
  readonly revision: number
  /** As often had the titles of related documents changed. */
  readonly titleChanges: number
  readonly words: string
}

/**
 * Another document of the same family has the slug. Nothing more can be done in the transaction: engine code turns it
 * into a `conflict`, or into another try in a new one.
 */
export class SlugTaken extends Error {}
