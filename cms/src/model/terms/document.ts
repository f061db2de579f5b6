import { isId } from '../../base/ids.ts'
import type { JsonObject } from '../../base/json.ts'

/** What all copies of a document share: the first part of an `_id`. */
export type DocId = string
/** The name of a locale; the empty string for documents of types that are not localized. */
export type Locale = string
export type Mode = 'draft' | 'published'
export type Visibility = 'public' | 'loginRequired'

/** Which document, in which language, in which state. Documents without locale are always `published`. */
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

/**
 * What is stored. `fields` holds `title`, `slug`, `visibility`, `archived` and what the type declares, clean.
 * Names starting with `_` are computed when a document is presented, never stored (except `_id` of items and widgets).
 */
export interface Document {
  readonly id: DocumentId
  readonly type: string
  readonly fields: JsonObject
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

/** Both copies of one document in one locale. */
export interface Copies {
  readonly draft: Document | null
  readonly published: Document | null
}
