import type { JsonObject } from '../../base/json.ts'
import { type Crop, madeCrop } from '../../model/crop.ts'
import { DocumentId } from '../../model/document.ts'
import { SIZE_NAMES, type SizeName } from '../../model/image-sizes.ts'
import type { Attachment, AttachmentUse, UsedAttachment } from '../../store/store.ts'
import type { Context } from '../context.ts'
import { fileName, hasSizes } from './attachment-files.ts'
import { visibleUses } from './attachment-uses.ts'

/**
 * An attachment as answers show it (§2.3). With a crop that was made its URLs are those of the crop, and those of the
 * whole image are in `_urls.uncropped`.
 */
export function shownAttachment(ctx: Context, used: UsedAttachment, asked: Crop | null = null): JsonObject {
  const { attachment } = used
  const crop = madeCrop(attachment.crops, asked)
  const { id, group, name, title, extension, length, md5, crops, createdAt, updatedAt } = attachment
  const uses = visibleUses(ctx, used)
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
 * Where browsers get a file of an attachment: below the site's base URL where one is set, whatever host name a locale
 * has, or wherever the storage keeps it for them.
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
