import { invalidFields, notFound } from '../../base/errors.ts'
import { isId } from '../../base/ids.ts'
import { isObject } from '../../base/json.ts'
import type { Context } from '../../engine/context.ts'
import { mayTake } from '../../engine/media/attachment-uses.ts'
import { makeCrop } from '../../engine/media/crops.ts'
import type { RouteRequest } from '../../http/requests/route.ts'
import { hasSizes } from '../../model/terms/image-sizes.ts'
import type { Attachment } from '../../store/contract/store.ts'
import { assertMayUpload } from './permit-media.ts'

/**
 * Crops an image and stores the crop in all sizes, the same crop once (§4.3). Throws `invalid` for files that are not
 * images and for crops outside the image, and `notfound` for an attachment that the caller may not see.
 */
export async function cropImage(ctx: Context, { body }: RouteRequest): Promise<true> {
  assertMayUpload(ctx.actor)
  const { _id: id, crop: requested } = body
  const missing = [
    ...(typeof id === 'string' && id !== '' ? [] : [{ path: '_id', message: 'Name the attachment by its _id.' }]),
    ...(isObject(requested) ? [] : [{ path: 'crop', message: 'Send crop as { top, left, width, height }.' }]),
  ]
  if (missing.length > 0) throw invalidFields(missing.map((one) => ({ ...one, name: 'invalid' })))
  const attachment = await takenAttachment(ctx, String(id))
  const { width, height, extension } = attachment
  const { readCrop, refuseCrop } = await import('../../images/crop-image.ts')
  if (!hasSizes(attachment) || width === null || height === null) throw refuseCrop(extension)
  await makeCrop(ctx, { attachment, crop: readCrop(isObject(requested) ? requested : {}, { width, height }) })
  return true
}

async function takenAttachment(ctx: Context, id: string): Promise<Attachment> {
  const used = isId(id) ? (await ctx.store.attachments.byIds([id])).get(id) : undefined
  if (used === undefined || !mayTake(ctx, used)) throw notFound('There is no such attachment that you may crop.')
  return used.attachment
}
