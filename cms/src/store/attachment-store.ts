import type { Crop } from '../model/crop.ts'
import type { DocId, DocumentId, Visibility } from '../model/document.ts'

/** What is known of an uploaded file (§2.3), but who uses it. */
export interface Attachment {
  readonly id: string
  /** The file group: `images`, `office` or one of the site's own. */
  readonly group: string
  /** The file's name as a slug, without extension. */
  readonly name: string
  readonly title: string
  readonly extension: string
  /** Bytes. */
  readonly length: number
  /** Hexadecimal. */
  readonly md5: string
  /** Pixels as displayed; null for what is no image. */
  readonly width: number | null
  readonly height: number | null
  /** Pictures shown one after the other; 1 for an image that stands still, null for what is no image. */
  readonly frames: number | null
  /** Every crop once, in the order in which they came. */
  readonly crops: readonly Crop[]
  readonly createdAt: string
  readonly updatedAt: string
  /** Who uploaded it, by the id of the user or key; null for the command line. */
  readonly uploadedBy: string | null
}

/** A copy of a document that uses an attachment. */
export interface AttachmentUse {
  readonly id: DocumentId
  readonly type: string
  readonly archived: boolean
  readonly visibility: Visibility
  /** The top-level field it lies in, and behind a colon the role that is needed to see it there, if any. */
  readonly place: string
}

/** An attachment with all copies of documents that use it. */
export interface UsedAttachment {
  readonly attachment: Attachment
  readonly uses: readonly AttachmentUse[]
}

/** How adding a crop ended: it is there, the attachment has as many as it may have, or there is no attachment. */
export type AddedCrop = 'added' | 'full' | 'missing'

/** Reads what is known of uploads. */
export interface AttachmentReader {
  /** These attachments, as far as they exist, with all documents that use them; one statement. */
  byIds(ids: readonly string[]): Promise<Map<string, UsedAttachment>>
  /** Those whose ids come after this one, in the order of ids, at most `limit`; an empty text begins. */
  following(id: string, limit: number): Promise<Attachment[]>
  /** Which of these exist; one statement. */
  existing(ids: readonly string[]): Promise<Set<string>>
  count(): Promise<number>
  /** How many have an id up to this one. */
  countUntil(id: string): Promise<number>
  /** The attachments that these documents have, in any copy, in the field `place`; one statement. */
  ofDocuments(docIds: readonly DocId[], place: string): Promise<Map<DocId, Attachment[]>>
  /** Which of these are named by no document and no stored version. */
  unused(ids: readonly string[]): Promise<Set<string>>
  /** Those of these attachments without a row that may have files, each with the time from which those may be removed. */
  leftOver(ids: readonly string[]): Promise<Map<string, string>>
}

/** Changes what is known of uploads. */
export interface AttachmentWriter extends AttachmentReader {
  /** As `byIds`, and nobody removes them until the transaction ends. */
  hold(ids: readonly string[]): Promise<Map<string, UsedAttachment>>
  /** Records attachments that have no row but may have files, which may be removed from `due` on (ISO 8601). */
  recordLeftOver(ids: readonly string[], due: string): Promise<void>
  /** The files of these attachments are gone. */
  forgetLeftOver(ids: readonly string[]): Promise<void>
  /** All files that may be removed from this time or an earlier one on are gone. */
  forgetLeftOverUntil(due: string): Promise<void>
  /** Adds an attachment, whose files are no longer left over. */
  add(attachment: Attachment): Promise<void>
  /** Adds a crop, unless it is there already. */
  addCrop(id: string, crop: Crop, options: { readonly at: string; readonly limit: number }): Promise<AddedCrop>
  /** Removes those of these that no document and no version names, and records that their files are left over. */
  removeUnused(ids: readonly string[], now: string): Promise<Attachment[]>
}
