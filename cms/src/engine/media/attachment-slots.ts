import { isObject, type JsonObject } from '../../base/json.ts'
import { type Crop, cropOf, madeCrop } from '../../model/crop.ts'
import type { UsedAttachment } from '../../store/store.ts'
import type { Context } from '../context.ts'
import { attachmentUrl, shownAttachment } from './attachment-shown.ts'

/** An attachment in an answer, to be filled in. */
interface Slot {
  /** What is stored of it; becomes the whole object (§2.3). */
  readonly value: JsonObject
  readonly crop: Crop | null
}

/** An image or file piece in an answer, whose `_url` is its file's. */
interface MediaPiece {
  readonly answer: JsonObject
  /** The id of its attachment; null when it has none. */
  readonly id: string | null
  readonly crop: Crop | null
}

/**
 * The attachments of one answer, at any depth of any of its documents: gathered while documents are presented, and then
 * filled in with one statement.
 */
export class AttachmentSlots {
  readonly #slots: Slot[] = []
  readonly #pieces = new Map<JsonObject, MediaPiece>()

  /** An attachment field's value in the answer; it is changed in place later. */
  add(value: JsonObject, crop: Crop | null = null): void {
    this.#slots.push({ value, crop })
  }

  /** An image or file piece in the answer: gets its `_url` later, if it still has the name by then. */
  addPiece(answer: JsonObject, attachment: unknown): void {
    answer._url = ''
    const id = isObject(attachment) ? String(attachment._id) : null
    this.#pieces.set(answer, { answer, id, crop: null })
  }

  /** A related document as one relationship shows it: what that says of an image may be a crop (decisions 4.3). */
  copied(original: JsonObject, copy: JsonObject, fields: JsonObject): void {
    const piece = this.#pieces.get(original)
    if (piece === undefined) return
    const crop = cropOf(fields)
    this.#pieces.set(copy, { answer: copy, id: piece.id, crop })
    if (crop === null || !isObject(copy.attachment)) return
    copy.attachment = { ...copy.attachment }
    this.add(copy.attachment, crop)
  }

  /** Fills everything in: one statement, or none where there are no attachments. */
  async fill(ctx: Context): Promise<void> {
    const ids = new Set(this.#slots.map(({ value }) => String(value._id)))
    for (const { id, answer } of this.#pieces.values()) if (id !== null && Object.hasOwn(answer, '_url')) ids.add(id)
    const found = await ctx.store.attachments.byIds([...ids])
    for (const { value, crop } of this.#slots) {
      const used = found.get(String(value._id))
      if (used !== undefined) Object.assign(value, shownAttachment(ctx, used, crop))
    }
    for (const piece of this.#pieces.values()) {
      setUrl(ctx, piece, found)
      const { attachment, alt } = piece.answer
      if (isObject(attachment) && alt !== undefined) attachment._alt = alt
    }
  }
}

function setUrl(ctx: Context, { answer, id, crop }: MediaPiece, found: ReadonlyMap<string, UsedAttachment>): void {
  if (!Object.hasOwn(answer, '_url')) return
  const attachment = id === null ? undefined : found.get(id)?.attachment
  if (attachment === undefined) delete answer._url
  else answer._url = attachmentUrl(ctx, attachment, null, madeCrop(attachment.crops, crop))
}
