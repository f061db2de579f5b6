import { notFound } from '../../base/errors.ts'
import { type Crop, sameCrop } from '../../model/crop.ts'
import type { Context } from '../context.ts'
import { fileName } from './attachment-files.ts'
import { putFiles } from './attachment-keeping.ts'
import { cropFiles, type NeededCrop } from './crop-files.ts'
import { settleNames } from './crop-names.ts'

/** Work of this process on a crop, by attachment and crop: who wants the same one waits for it. */
const making = new Map<string, Promise<void>>()

/**
 * Makes a crop of an image in all sizes and notes it, unless that was done before (§4.3 Crop). The crop lies inside the
 * image. Throws `unavailable` when its files cannot be kept, and then leaves none, but those of somebody who had more
 * luck with the same crop.
 */
export async function makeCrop(ctx: Context, { attachment, crop }: NeededCrop): Promise<void> {
  if (attachment.crops.some((one) => sameCrop(one, crop))) return
  const key = fileName(attachment, null, crop)
  const work = making.get(key) ?? makeOnce(ctx, { attachment, crop }).finally(() => making.delete(key))
  making.set(key, work)
  await work
}

async function makeOnce(ctx: Context, needed: NeededCrop): Promise<void> {
  const { attachment, crop } = needed
  const files = await cropFiles(ctx, needed)
  try {
    await putFiles(ctx, files)
    if (!(await noteCrop(ctx, attachment.id, crop))) throw notFound()
  } catch (error) {
    await settleNames(ctx, needed, files).catch((failure: unknown) => {
      ctx.log.warn({ failure, attachment: attachment.id, crop }, 'Files of a crop that was given up may remain.')
    })
    throw error
  }
  await settleNames(ctx, needed, files)
}

function noteCrop(ctx: Context, id: string, crop: Crop): Promise<boolean> {
  return ctx.store.transaction((tx) => tx.attachments.addCrop(id, crop, ctx.now().toISOString()))
}
