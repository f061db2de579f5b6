import { invalid, notFound } from '../../base/errors.ts'
import { isObject } from '../../base/json.ts'
import type { Context } from '../../engine/context.ts'
import { locate } from '../../engine/locate.ts'
import { attachmentUrl } from '../../engine/media/attachments.ts'
import { assertMay, readAccess } from '../../engine/permissions.ts'
import { Reply, type RouteRequest } from '../../http/requests/route.ts'
import type { Type } from '../../model/declared/types.ts'
import { SIZE_NAMES, type SizeName } from '../../model/terms/image-sizes.ts'

/**
 * Redirects to the file of an image piece (§4.3), in the requested size or `max`. `notfound` when the caller may not
 * read the piece, or it has no file.
 */
export async function redirectToImage(ctx: Context, type: Type, { params, query }: RouteRequest): Promise<Reply> {
  const size = sizeOf(query.size)
  const id = locate(ctx, type, params._id ?? '')
  if (id.mode === 'draft') assertMay(ctx.actor, 'readDraft', type)
  const access = readAccess(ctx.actor, type)
  const document = access && (await ctx.store.documents.get(id))
  if (!access || document?.type !== type.name || document.fields.archived === true) throw notFound()
  if (access.visibility !== null && document.fields.visibility !== access.visibility) throw notFound()
  const { attachment: value } = document.fields
  const attachmentId = isObject(value) ? String(value._id) : ''
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
