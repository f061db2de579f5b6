import { isObject, type JsonObject } from '../../base/json.ts'
import { type Document, openValues } from '../../model/terms/document.ts'
import { DocumentId } from '../../model/terms/document-id.ts'
import { hasSizes, SIZE_NAMES, type SizeName } from '../../model/terms/image-sizes.ts'
import { type Crop, cropOf, madeCrop } from '../../model/values/crop.ts'
import type { Attachment, AttachmentUse, UsedAttachment } from '../../store/contract/store.ts'
import type { Context } from '../context.ts'
import { knowsUse } from '../view.ts'
import { fileName } from './file-names.ts'

/**
 * An attachment as answers show it (§2.3). With a crop its URLs are those of the crop, and those of the whole image are
 * in `_urls.uncropped`.
 */
export function shownAttachment(ctx: Context, used: UsedAttachment, requested: Crop | null = null): JsonObject {
  const { attachment } = used
  const crop = madeCrop(attachment.crops, requested)
  const { id, group, name, title, extension, length, md5, crops, createdAt, updatedAt } = attachment
  const uses = used.uses.filter((use) => knowsUse(ctx, use))
  return {
    _id: id,
    type: 'attachment',
    ...urlsOf(ctx, attachment, crop),
    docIds: idsOf(uses.filter((use) => !use.archived)),
    archivedDocIds: idsOf(uses.filter((use) => use.archived)),
    createdAt,
    updatedAt,
    extension,
    group,
    name,
    title,
    length,
    md5,
    ...imageFacts(attachment),
    crops: crops.map(({ top, left, width, height }) => ({ top, left, width, height })),
    ...(crop === null ? {} : { _crop: { ...crop } }),
  }
}

/**
 * Returns the URL of a file of an attachment: below the site's base URL where one is set, whatever host name a locale
 * has, or where the storage serves it.
 */
export function attachmentUrl(
  ctx: Context,
  attachment: Attachment,
  size: SizeName | null = null,
  crop: Crop | null = null,
): string {
  const url = ctx.files.url(fileName(attachment, hasSizes(attachment) ? size : null, crop))
  return url.startsWith('/') ? (ctx.site.baseUrl ?? '').replace(/\/+$/, '') + url : url
}

function urlsOf(ctx: Context, attachment: Attachment, crop: Crop | null): JsonObject {
  const _url = attachmentUrl(ctx, attachment, null, crop)
  if (attachment.frames === null) return { _url }
  const whole = allUrls(ctx, attachment, null)
  return { _url, _urls: crop === null ? whole : { ...allUrls(ctx, attachment, crop), uncropped: whole } }
}

function allUrls(ctx: Context, attachment: Attachment, crop: Crop | null): JsonObject {
  const sizes = SIZE_NAMES.map((size) => [size, attachmentUrl(ctx, attachment, size, crop)])
  return { ...Object.fromEntries(sizes), original: attachmentUrl(ctx, attachment, null, crop) }
}

function imageFacts(attachment: Attachment): JsonObject {
  const { width, height } = attachment
  if (width === null || height === null) return {}
  const _isCroppable = hasSizes(attachment)
  return { width, height, landscape: width > height, portrait: height > width, _isCroppable }
}

function idsOf(uses: readonly AttachmentUse[]): string[] {
  return [...new Set(uses.map(({ id }) => DocumentId.format(id)))]
}

/** The id of the attachment of an image or a file, whose URL is that of the document; null where it has none. */
export function fileOf(document: Document): string | null {
  const { attachment } = openValues(document)
  return isObject(attachment) ? String(attachment._id) : null
}

/** An attachment in an answer, to be filled in. */
interface Slot {
  /** The stored value, which becomes the whole object (§2.3). */
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
 * Collects the attachments of documents that are presented together, at any depth, and fills them in with one
 * statement. Related documents that are filled in as text have filled in theirs.
 */
export class AttachmentSlots {
  readonly #slots: Slot[] = []
  readonly #pieces = new Map<JsonObject, MediaPiece>()

  /** An attachment field's value in the answer; it is changed in place later. */
  add(value: JsonObject, crop: Crop | null = null): void {
    this.#slots.push({ value, crop })
  }

  /** An image or file piece in the answer: gets its `_url` later, if it still has the name by then. */
  addPiece(answer: JsonObject, document: Document): void {
    answer._url = ''
    this.#pieces.set(answer, { answer, id: fileOf(document), crop: null })
  }

  /** A related document as one relationship shows it: what that says of an image may be a crop (§4.3). */
  copied(original: JsonObject, copy: JsonObject, fields: JsonObject): void {
    const piece = this.#pieces.get(original)
    if (piece === undefined) return
    const crop = cropOf(fields)
    this.#pieces.set(copy, { answer: copy, id: piece.id, crop })
    if (crop === null || !isObject(copy.attachment)) return
    copy.attachment = { ...copy.attachment }
    this.add(copy.attachment, crop)
  }

  /** Fills in all of them: one statement, or none without attachments. */
  async fill(ctx: Context): Promise<void> {
    const ids = new Set(this.#slots.map(({ value }) => String(value._id)))
    for (const { id, answer } of this.#pieces.values()) if (id !== null && Object.hasOwn(answer, '_url')) ids.add(id)
    const found = ids.size === 0 ? NONE : await ctx.store.attachments.byIds([...ids])
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

const NONE: ReadonlyMap<string, UsedAttachment> = new Map()

function setUrl(ctx: Context, { answer, id, crop }: MediaPiece, found: ReadonlyMap<string, UsedAttachment>): void {
  if (!Object.hasOwn(answer, '_url')) return
  const attachment = id === null ? undefined : found.get(id)?.attachment
  if (attachment === undefined) delete answer._url
  else answer._url = attachmentUrl(ctx, attachment, null, madeCrop(attachment.crops, crop))
}
