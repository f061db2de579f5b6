import type { JsonObject } from '../../base/json.ts'

/** The id that all copies of a document share: the first part of an `_id`. */
export type DocId = string
/** The name of a locale; the empty string for documents of types that are not localized. */
export type Locale = string
export type Mode = 'draft' | 'published'
export type Visibility = 'public' | 'loginRequired'

/**
 * How far a document is on its way to the public (§3.3): not published, changed since it was published, published as it
 * is, or archived. Of drafts; types without drafts know the last two.
 */
export type PublishingState = 'draft' | 'modified' | 'published' | 'archived'

/** Identifies one copy of a document. Documents without a locale are always `published`. */
export interface DocumentId {
  readonly docId: DocId
  readonly locale: Locale
  readonly mode: Mode
}

/** A parsed id from outside: a bare id leaves locale and mode open. */
export interface PartialId {
  readonly docId: DocId
  readonly locale?: Locale
  readonly mode?: Mode
}

/** Ids as texts, which exist only outside: read on the way in, written on the way out. */
export const DocumentId = {
  /** Reads `id` or `id:locale:mode` (§2.10); null when it is neither. */
  parse(text: string): PartialId | null {
    const [docId = '', locale, mode, ...rest] = text.split(':')
    if (!isId(docId) || rest.length > 0) return null
    if (locale === undefined) return { docId }
    return locale !== '' && isMode(mode) ? { docId, locale, mode } : null
  },

  format(id: DocumentId): string {
    return id.locale === '' ? id.docId : `${id.docId}:${id.locale}:${id.mode}`
  },
}

/** The aposDocId in any accepted form of an id; null for what is not an id. */
export function docIdOf(text: unknown): string | null {
  return typeof text === 'string' ? (DocumentId.parse(text)?.docId ?? null) : null
}

/** True for the name of a mode. */
export function isMode(text: unknown): text is Mode {
  return text === 'draft' || text === 'published'
}

/** True for the name of a visibility. */
export function isVisibility(text: unknown): text is Visibility {
  return text === 'public' || text === 'loginRequired'
}

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

/** True for text that can be a document id: one of `newId`, or one a site gave to a built-in document. */
export function isId(text: string): boolean {
  return /^[a-z0-9_-]{1,64}$/i.test(text) && text !== '__proto__'
}
