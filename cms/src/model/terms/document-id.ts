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

/** True for text that can be a document id: one of `newId`, or one a site gave to a built-in document. */
export function isId(text: string): boolean {
  return /^[a-z0-9_-]{1,64}$/i.test(text) && text !== '__proto__'
}
