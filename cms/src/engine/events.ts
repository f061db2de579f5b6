import type { Json } from '../base/json.ts'
import type { ChangeEvent } from '../model/declared/change-events.ts'
import type { Type } from '../model/declared/types.ts'
import type { OpenDocument } from '../model/terms/document.ts'
import type { DocId, DocumentId, Locale, Mode } from '../model/terms/document-id.ts'

/**
 * Why a copy of a document is written: the closed list. One request may have several: a page that is moved and renamed
 * is `moved`, then `saved`, and what lies below it `carried`.
 *
 * - `inserted`: it is new; a page that is made in the archive too.
 * - `saved`: its content was changed (PUT, PATCH).
 * - `published`: the published copy becomes equal to the draft. `unpublished`: the draft, whose published copy goes.
 * - `reverted`: the draft becomes equal to the published copy; or the published copy to the publication before.
 * - `localized`: the content of another locale was copied over it, or made it.
 * - `archived`, `restored`: it went into the archive or came out of it; all pages below a page go with it.
 * - `moved`: the page has another position, and perhaps another slug.
 * - `carried`: a page above it was moved or has another slug, and with it the position or the slug of this one.
 * - `migrated`: a content migration of the site changed it, or where its values lie (§2.14). Its times and its author stay.
 *
 * Siblings whose rank merely shifts are not announced.
 */
export type Reason =
  | 'inserted'
  | 'saved'
  | 'published'
  | 'unpublished'
  | 'reverted'
  | 'localized'
  | 'archived'
  | 'restored'
  | 'moved'
  | 'carried'
  | 'migrated'

/** One copy that is about to be saved, or was. */
export interface SaveEvent {
  readonly reason: Reason
  readonly type: Type
  readonly id: DocumentId
  /** The copy as it is stored; null for a new one. */
  readonly before: OpenDocument | null
  /**
   * The fields to be stored. `beforeSave` may change them in place, and they are cleaned again afterwards; but changes
   * to pages that are saved because of the tree (`moved`, `carried`, `archived`, `restored`) are discarded.
   */
  readonly fields: { [name: string]: Json }
  /** The `_copyingId` of the request (§4.1), for new documents. */
  readonly copyOfId: string | null
}

/** A permanent removal, about to happen or done: all copies of one document that go together. */
export interface RemoveEvent {
  readonly type: Type
  readonly removed: readonly OpenDocument[]
}

/** The document that was removed, with its versions. */
export interface RemovedEvent extends RemoveEvent {
  /** Ids of the attachments that the document's versions named; the listener must check what else names them. */
  readonly attachments: readonly string[]
}

/** A change of a document in one locale, or a new attachment, that is about to be committed. */
export interface ContentChange {
  readonly event: ChangeEvent
  /** Of documents: why. */
  readonly reason: Reason | 'removed' | 'uploaded'
  /** The name of the document's type; empty for attachments. */
  readonly type: string
  /** Of the document, or the attachment. */
  readonly docId: DocId
  readonly locale: Locale
  /** The copies that are changed. */
  readonly modes: readonly Mode[]
}

/** Selects files of attachments (§4.6). */
export interface AttachmentUrlOptions {
  /** `used`: of attachments that the listed pages use; `all`: of every one that is not archived. */
  readonly scope: 'used' | 'all'
  /** Only these sizes; null: all. Files without sizes are always there. */
  readonly sizes: readonly string[] | null
  readonly skipSizes: readonly string[]
  readonly uploadsUrl: string
}
