import type { DocId, DocumentId, Locale, Mode, Visibility } from '../../model/terms/document-id.ts'
import type { Crop } from '../../model/values/crop.ts'

/** An uploaded file (§2.3), without who uses it. */
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
  /** Pixels as displayed; null for files that are not images. */
  readonly width: number | null
  readonly height: number | null
  /** Animation frames; 1 for a still image, null for files that are not images. */
  readonly frames: number | null
  /** Every crop once, in the order in which they were made. */
  readonly crops: readonly Crop[]
  readonly createdAt: string
  readonly updatedAt: string
  /** The id of the user or key that uploaded it; null for the command line. */
  readonly uploadedBy: string | null
}

/** A copy of a document that uses an attachment. */
export interface AttachmentUse {
  readonly id: DocumentId
  readonly type: string
  readonly archived: boolean
  readonly visibility: Visibility
  /**
   * The name of the index row: the top-level field it lies in, then a colon and the role needed to see it there, if
   * any.
   */
  readonly indexName: string
}

/** An attachment with all copies of documents that use it. */
export interface UsedAttachment {
  readonly attachment: Attachment
  readonly uses: readonly AttachmentUse[]
}

/** The result of adding a crop: it is stored, the attachment has reached its limit, or there is no such attachment. */
export type AddedCrop = 'added' | 'full' | 'missing'

/** Attachments by their own ids, and by those of documents that have them. */
export interface NamedAttachments {
  readonly ids: readonly string[]
  readonly docIds: readonly DocId[]
  /** The top-level field of the documents; only where seeing it needs no role. */
  readonly indexName: string
  readonly locale: Locale
  readonly mode: Mode
}

/** Reads attachments. */
export interface AttachmentReader {
  /** The attachments among these that exist, with all documents that use them; one statement. */
  byIds(ids: readonly string[]): Promise<ReadonlyMap<string, UsedAttachment>>
  /** Returns at most `limit` attachments with ids after this one, ordered by id; start with ''. */
  following(id: string, limit: number): Promise<Attachment[]>
  /** Returns the ids that exist; one statement. */
  existing(ids: readonly string[]): Promise<Set<string>>
  /** Returns the ids of attachments that only archived documents use; one statement. */
  archived(ids: readonly string[]): Promise<Set<string>>
  count(): Promise<number>
  /** Counts the attachments with ids up to this one. */
  countUntil(id: string): Promise<number>
  /** The attachments that these documents have, in any copy, in index rows of this name; one statement. */
  ofDocuments(docIds: readonly DocId[], indexName: string): Promise<Map<DocId, Attachment[]>>
  /**
   * Returns these attachments, and those that documents have in index rows of a name, in their copies of a locale and
   * mode and without locale; one statement.
   */
  named(of: NamedAttachments): Promise<{
    readonly byId: ReadonlyMap<string, Attachment>
    readonly byDocument: ReadonlyMap<DocId, Attachment>
  }>
  /** Returns the ids that no document and no stored version names. */
  unused(ids: readonly string[]): Promise<Set<string>>
  /** Returns those of the ids without a row that may have files, each with the time from which those may be removed. */
  leftOver(ids: readonly string[]): Promise<Map<string, string>>
  /** Whether files are due to be removed that were left over until a moment. */
  hasLeftOver(until: string): Promise<boolean>
}

/** Changes attachments. */
export interface AttachmentWriter {
  /** Locks them against removal until the transaction ends. */
  lock(ids: readonly string[]): Promise<void>
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
  /** Removes those that no document and no version names, and records that their files are left over. */
  removeUnused(ids: readonly string[], now: string): Promise<Attachment[]>
}
