import { CmsError } from '../../base/errors.ts'
import type { Context } from '../../engine/context.ts'
import { factsOf, putFiles, sizeFiles, withTemporaryFile } from '../../engine/media/attachment-files.ts'
import { cropFiles, fetchOriginal, recordCropNames } from '../../engine/media/crops.ts'
import { openImages } from '../../images/open-images.ts'
import { hasSizes } from '../../model/terms/image-sizes.ts'
import type { Attachment } from '../../store/contract/store.ts'
import type { OnProgress } from './clean-media.ts'

const BATCH = 50
/** The setting that holds the id of the last attachment that was rescaled, from which a stopped run resumes. */
const PROGRESS = 'media rescale'

/** The result of `rescaleImages`. */
interface Rescaled {
  readonly images: number
  /** Images whose sizes could not be made; the log names each. */
  readonly failed: number
}

/**
 * Makes all sizes and crops of all images again from their originals (§4.3), under the same names. Resumes a run that
 * was stopped. May run alongside services.
 */
export async function rescaleImages(ctx: Context, onProgress: OnProgress = () => {}): Promise<Rescaled> {
  const total = await ctx.store.attachments.count()
  let after = (await ctx.store.settings.get(PROGRESS)) ?? ''
  let images = 0
  let failed = 0
  for (let done = after === '' ? 0 : await ctx.store.attachments.countUntil(after); ; ) {
    const batch = await ctx.store.attachments.following(after, BATCH)
    for (const attachment of batch) {
      if (hasSizes(attachment)) {
        const isDone = await rescale(ctx, attachment)
        images += isDone ? 1 : 0
        failed += isDone ? 0 : 1
      }
      done += 1
      onProgress(Math.min(done, total), total)
      after = attachment.id
      await ctx.store.transaction((tx) => tx.settings.set(PROGRESS, attachment.id))
    }
    if (batch.length < BATCH) break
  }
  await ctx.store.transaction((tx) => tx.settings.remove(PROGRESS))
  return { images, failed }
}

async function rescale(ctx: Context, attachment: Attachment): Promise<boolean> {
  try {
    const { makeSizes } = await openImages()
    const files = await withTemporaryFile(async (path) => {
      await fetchOriginal(ctx, attachment, path)
      const { extension } = attachment
      return sizeFiles(attachment, await makeSizes(path, { image: factsOf(attachment), extension }))
    })
    for (const { name, content } of files) await ctx.files.put(name, content)
    for (const crop of attachment.crops) {
      const made = await cropFiles(ctx, { attachment, crop })
      await putFiles(ctx, made)
      await recordCropNames(ctx, { attachment, crop }, made)
    }
    return true
  } catch (error) {
    // Removed meanwhile, with its files: nothing is missing.
    if (error instanceof CmsError && error.name === 'notfound') return true
    ctx.log.error({ error, attachment: attachment.id }, 'The sizes of an image could not be made.')
    return false
  }
}
