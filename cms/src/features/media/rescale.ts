import type { Context } from '../../engine/context.ts'
import { factsOf, putFiles, sizeFiles, withTemporaryFile } from '../../engine/media/attachment-files.ts'
import { cropFiles, fetchOriginal, type NeededCrop, settleNames } from '../../engine/media/crops.ts'
import { hasSizes } from '../../model/image-sizes.ts'
import type { Attachment } from '../../store/store.ts'
import type { Said } from './clean.ts'

const BATCH = 50
/** Where a run that was stopped goes on: the id of the last attachment that was done. */
const MARK = 'media rescale'

/** What a run of `rescaleImages` came to. */
export interface Rescaled {
  readonly images: number
  /** Images whose sizes could not be made; each is named in the log. */
  readonly failed: number
}

/**
 * Makes all sizes and crops of all images again from their originals (decisions 4.3), under the names they have. A run
 * that was stopped is gone on with. May run beside services.
 */
export async function rescaleImages(ctx: Context, said: Said = () => {}): Promise<Rescaled> {
  const total = await ctx.store.attachments.count()
  let after = (await ctx.store.settings.get(MARK)) ?? ''
  let images = 0
  let failed = 0
  for (let done = await countUntil(ctx, after); ; ) {
    const batch = await ctx.store.attachments.following(after, BATCH)
    for (const attachment of batch) {
      if (hasSizes(attachment)) {
        const isDone = await rescale(ctx, attachment)
        images += isDone ? 1 : 0
        failed += isDone ? 0 : 1
      }
      done += 1
      said(Math.min(done, total), total)
      after = attachment.id
      await ctx.store.transaction((tx) => tx.settings.set(MARK, attachment.id))
    }
    if (batch.length < BATCH) break
  }
  await ctx.store.transaction((tx) => tx.settings.remove(MARK))
  return { images, failed }
}

async function rescale(ctx: Context, attachment: Attachment): Promise<boolean> {
  try {
    const { makeSizes } = await import('../../images/sizes.ts')
    const files = await withTemporaryFile(async (path) => {
      await fetchOriginal(ctx, attachment, path)
      const { extension } = attachment
      return sizeFiles(attachment, await makeSizes(path, { image: factsOf(attachment), extension }))
    })
    for (const { name, content } of files) await ctx.files.put(name, content)
    for (const crop of attachment.crops) await remakeCrop(ctx, { attachment, crop })
    return true
  } catch (error) {
    ctx.log.error({ error, attachment: attachment.id }, 'The sizes of an image could not be made.')
    return false
  }
}

async function remakeCrop(ctx: Context, needed: NeededCrop): Promise<void> {
  const files = await cropFiles(ctx, needed)
  await putFiles(ctx, files)
  await settleNames(ctx, needed, files)
}

/** How many attachments come before the place to go on at. */
async function countUntil(ctx: Context, id: string): Promise<number> {
  return id === '' ? 0 : await ctx.store.attachments.countUntil(id)
}
