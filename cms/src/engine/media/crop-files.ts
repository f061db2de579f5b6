import { unavailable } from '../../base/errors.ts'
import type { Crop } from '../../model/crop.ts'
import type { Attachment } from '../../store/store.ts'
import type { Context } from '../context.ts'
import { fileName } from './attachment-files.ts'
import { factsOf, type NamedFile, sizeFiles, withTemporaryFile } from './attachment-keeping.ts'

/** A part of an image whose files are to be there. */
export interface NeededCrop {
  readonly attachment: Attachment
  readonly crop: Crop
}

/** The files of a crop, made from the original. Throws `unavailable` when that cannot be had. */
export async function cropFiles(ctx: Context, { attachment, crop }: NeededCrop): Promise<NamedFile[]> {
  const { makeCrop } = await import('../../images/crop.ts')
  return withTemporaryFile(async (path) => {
    await fetchOriginal(ctx, attachment, path)
    const { extension } = attachment
    const { original, sizes } = await makeCrop(path, { image: factsOf(attachment), extension }, crop)
    const whole = { name: fileName(attachment, null, crop), content: { source: original } }
    return [whole, ...sizeFiles(attachment, sizes, crop)]
  })
}

/** Brings the original of an attachment to a path of this machine. Throws `unavailable` when it is not there. */
export async function fetchOriginal(ctx: Context, attachment: Attachment, path: string): Promise<void> {
  if (await ctx.files.fetch(fileName(attachment), path)) return
  ctx.log.error({ attachment: attachment.id }, 'The original of an attachment is not where uploads are kept.')
  throw unavailable('The original of this image cannot be read just now. Try again later.')
}
