import type { Json, JsonObject } from '../../base/json.ts'
import type { Origin } from '../../engine/save/change.ts'
import type { DocId, Locale } from '../../model/terms/document-id.ts'
import type { Attachment } from '../../store/contract/store.ts'

/** A document in one locale, with both of its copies: a line of an export. */
export interface DocumentLine {
  readonly docId: DocId
  readonly type: string
  /** Empty where the type has no locales. */
  readonly locale: Locale
  readonly draft: CopyLine | null
  readonly published: CopyLine | null
  /** Pages: the page above; empty for the home page. They come after it, and in the order of the tree. */
  readonly parent?: DocId
  /** Pages: the slugs that the published page had before. */
  readonly formerUrls?: readonly string[]
  /** Findings of the source that a line cannot express. */
  readonly leftOut?: readonly LeftOut[]
}

/** Something of a document that has no place here. */
export interface LeftOut {
  readonly path: string
  readonly value: Json
  /** Why, and what was done instead. */
  readonly message: string
}

/** A copy as it is stored. */
export interface CopyLine extends Origin {
  readonly fields: JsonObject
}

/** An uploaded file of it. */
export type AttachmentLine = Attachment

/** The parts of an export: documents are before files. */
export const DOCUMENTS = 'documents/'
export const MEDIA = 'media/'
