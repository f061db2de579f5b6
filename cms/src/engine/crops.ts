import { notFound, unavailable } from '../base/errors.ts'
import type { Crop } from '../model/crop.ts'
import { sameCrop } from '../model/crop.ts'
import type { Attachment } from '../store/store.ts'
import { fileName } from './attachment-files.ts'
import {
  dropFiles,
  factsOf,
  imageType,
  keepFiles,
  type NamedFile,
  sizeFiles,
  withTemporaryFile,
} from './attachment-keeping.ts'
import type { Context } from './context.ts'

/** A part of an image whose files are to be there. */
export interface NeededCrop {
  readonly attachment: Attachment
  readonly crop: Crop
}

/** Work of this process on a crop, by attachment and crop: who wants the same one waits for it. */
const making = new Map<string, Promise<void>>()

/**
 * Makes a crop of an image in all sizes and notes it, unless that was done before (§4.3 Crop). The crop lies inside the
 * image. Throws `unavailable` when its files cannot be kept, and then leaves none.
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
  await keepFiles(ctx, files)
  const names = files.map(({ name }) => name)
  const isNoted = await noteCrop(ctx, attachment.id, crop).catch(async (error) => {
    await dropFiles(ctx, names)
    throw error
  })
  if (isNoted) return
  await dropFiles(ctx, names)
  throw notFound()
}

function noteCrop(ctx: Context, id: string, crop: Crop): Promise<boolean> {
  return ctx.store.transaction((tx) => tx.attachments.addCrop(id, crop, ctx.now().toISOString()))
}

/** The files of a crop, made from the original. Throws `unavailable` when that cannot be had. */
export async function cropFiles(ctx: Context, { attachment, crop }: NeededCrop): Promise<NamedFile[]> {
  const { makeCrop } = await import('../images/crop.ts')
  return withTemporaryFile(async (path) => {
    await fetchOriginal(ctx, attachment, path)
    const { extension } = attachment
    const { original, sizes } = await makeCrop(path, { image: factsOf(attachment), extension }, crop)
    const whole = { name: fileName(attachment, null, crop), content: { source: original, type: imageType(extension) } }
    return [whole, ...sizeFiles(attachment, sizes, crop)]
  })
}

/** Brings the original of an attachment to a path of this machine. Throws `unavailable` when it is not there. */
export async function fetchOriginal(ctx: Context, attachment: Attachment, path: string): Promise<void> {
  if (await ctx.files.fetch(fileName(attachment), path)) return
  ctx.log.error({ attachment: attachment.id }, 'The original of an attachment is not where uploads are kept.')
  throw unavailable('The original of this image cannot be read just now. Try again later.')
}
