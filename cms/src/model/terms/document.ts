import type { JsonObject } from '../../base/json.ts'
import type { DocumentId, Visibility } from './document-id.ts'

/** The author of a save, as shown in `updatedBy` (§2.1). A key or the command line has only a title. */
export interface Author {
  readonly _id: string | null
  readonly firstName: string
  readonly lastName: string
  readonly username: string | null
  readonly title: string
}

declare const sealed: unique symbol

interface Sealed {
  readonly [sealed]: never
}

/**
 * Values as they are stored, for nobody in particular. Any can be stored, but readers get them sealed, so
 * that they are shown by a view (`engine/view.ts`) and in no other way; `openValues` opens them.
 */
export type StoredValues = Sealed | JsonObject

/** The values themselves. For modules that ask a view, or save; `cms/test/layers.test.ts` lists them. */
export function openValues({ fields }: { readonly fields: StoredValues }): JsonObject {
  // `as`: only the type is sealed.
  return fields as JsonObject
}

/**
 * A document as it is stored. `fields` holds `title`, `slug`, `visibility`, `archived` and the declared fields, clean.
 * Names starting with `_` are never stored (except `_id` of items and widgets), but computed for answers.
 */
export interface Document {
  readonly id: DocumentId
  readonly type: string
  readonly fields: StoredValues
  /** ISO 8601, UTC. */
  readonly createdAt: string
  readonly updatedAt: string
  readonly updatedBy: Author
  readonly lastPublishedAt: string | null
  /** Whether the document is or ever was published in its locale; stays so when it is unpublished (§5.2). */
  readonly wasPublished: boolean
  /** On drafts: differs from the published copy, or there is none. */
  readonly modified: boolean
  /** Rises with every stored change of this copy. */
  readonly revision: number
}

/** A document with its values, for what saves it: locked in a transaction, or about to be written. */
export interface OpenDocument extends Document {
  readonly fields: JsonObject
}

/** Both copies of one document in one locale. */
export interface Copies<Copy extends Document = Document> {
  readonly draft: Copy | null
  readonly published: Copy | null
}

/** Both copies with their values. */
export type OpenCopies = Copies<OpenDocument>

/** The facts about a document that decide who sees it, and where. Finding a document reveals them. */
interface DocumentState {
  readonly isArchived: boolean
  readonly visibility: Visibility
  /** A page that navigation leaves out. */
  readonly isOrphan: boolean
}

/** The state of a document. */
export function stateOf(document: Document): DocumentState {
  const { archived, visibility, orphan } = openValues(document)
  return {
    isArchived: archived === true,
    visibility: visibility === 'loginRequired' ? 'loginRequired' : 'public',
    isOrphan: orphan === true,
  }
}

/** The slug of a document, by which its URL is found. */
export function slugOf(document: Document): string {
  return String(openValues(document).slug)
}

/** A view, as far as it says which fields are seen. */
interface FieldsView {
  field(name: string): object | null
}

/** The title of a document, where the view shows it; empty where not. */
export function titleOf(view: FieldsView | null, document: Document): string {
  return view?.field('title') ? String(openValues(document).title ?? '') : ''
}
