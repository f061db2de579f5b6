import { invalid, invalidFields, notFound } from '../../base/errors.ts'
import { isObject } from '../../base/json.ts'
import type { Context } from '../../engine/context.ts'
import { locate } from '../../engine/locate.ts'
import { attachmentUrl, fileOf } from '../../engine/media/attachments.ts'
import { makeCrop } from '../../engine/media/crops.ts'
import { assertMay } from '../../engine/permissions.ts'
import { mayTake, viewOf } from '../../engine/view.ts'
import { Reply, type RouteRequest } from '../../http/requests/route.ts'
import type { Type } from '../../model/declared/types.ts'
import { stateOf } from '../../model/terms/document.ts'
import { isId } from '../../model/terms/document-id.ts'
import { hasSizes, SIZE_NAMES, type SizeName } from '../../model/terms/image-sizes.ts'
import { readCrop, refuseCrop } from '../../model/values/crop.ts'
import type { Attachment } from '../../store/contract/store.ts'

/**
 * Crops an image and stores the crop in all sizes, the same crop once (§4.3). Throws `invalid` for files that are not
 * images and for crops outside the image, and `notfound` for an attachment that the caller may not see.
 */
export async function cropImage(ctx: Context, { body }: RouteRequest): Promise<true> {
  const { _id: id, crop: requested } = body
  const missing = [
    ...(typeof id === 'string' && id !== '' ? [] : [{ path: '_id', message: 'Name the attachment by its _id.' }]),
    ...(isObject(requested) ? [] : [{ path: 'crop', message: 'Send crop as { top, left, width, height }.' }]),
  ]
  if (missing.length > 0) throw invalidFields(missing.map((one) => ({ ...one, name: 'invalid' })))
  const attachment = await takenAttachment(ctx, String(id))
  const { width, height, extension } = attachment
  if (!hasSizes(attachment) || width === null || height === null) throw refuseCrop(extension)
  await makeCrop(ctx, { attachment, crop: readCrop(isObject(requested) ? requested : {}, { width, height }) })
  return true
}

async function takenAttachment(ctx: Context, id: string): Promise<Attachment> {
  const used = isId(id) ? (await ctx.store.attachments.byIds([id])).get(id) : undefined
  if (used === undefined || !mayTake(ctx, used)) throw notFound('There is no such attachment that you may crop.')
  return used.attachment
}

/**
 * Redirects to the file of an image piece (§4.3), in the requested size or `max`. `notfound` when the caller may not
 * read the piece, or it has no file.
 */
export async function redirectToImage(ctx: Context, type: Type, { params, query }: RouteRequest): Promise<Reply> {
  const size = sizeOf(query.size)
  const id = locate(ctx, type, params._id ?? '')
  if (id.mode === 'draft') assertMay(ctx.actor, 'readDraft', type)
  const access = viewOf(ctx.actor, type)
  const document = access && (await ctx.store.documents.get(id))
  if (!access || document?.type !== type.name) throw notFound()
  const { isArchived, visibility } = stateOf(document)
  if (isArchived || !access.includes(visibility)) throw notFound()
  const attachmentId = fileOf(document) ?? ''
  const used = (await ctx.store.attachments.byIds([attachmentId])).get(attachmentId)
  if (used === undefined) throw notFound()
  return new Reply({}, { Location: attachmentUrl(ctx, used.attachment, size) }, 302)
}

function sizeOf(given: unknown): SizeName | null {
  if (given === undefined) return 'max'
  if (given === 'original') return null
  const size = SIZE_NAMES.find((name) => name === given)
  if (size === undefined) throw invalid(`size must be one of ${SIZE_NAMES.join(', ')} and original.`)
  return size
}
