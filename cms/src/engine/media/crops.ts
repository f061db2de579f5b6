import { invalidFields, notFound, unavailable } from '../../base/errors.ts'
import { openImages } from '../../images/open-images.ts'
import { alternateOf, type Crop, sameCrop } from '../../model/values/crop.ts'
import type { Attachment } from '../../store/contract/store.ts'
import type { Context } from '../context.ts'
import { dropFiles, factsOf, type NamedFile, putFiles, sizeFiles, withTemporaryFile } from './attachment-files.ts'
import { alternativeName, fileName } from './file-names.ts'
import { fullProblem } from './requested-crops.ts'

/** Crops that this process is making, by attachment and crop: requests for the same one wait for it. */
const making = new Map<string, Promise<void>>()

/**
 * Makes a crop of an image in all sizes and records it, unless that was done before (§4.3 Crop). The crop lies inside
 * the image. Throws `invalid` when the image has its maximum number of crops, and `unavailable` when the files cannot
 * be stored; then none remain, except those of another process that made the same crop.
 */
export async function makeCrop(ctx: Context, { attachment, crop }: NeededCrop): Promise<void> {
  if (attachment.crops.some((one) => sameCrop(one, crop))) return
  const key = fileName(attachment, null, crop)
  const work = making.get(key) ?? makeOnce(ctx, { attachment, crop }).finally(() => making.delete(key))
  making.set(key, work)
  await work
}

/** Checks the number of crops before any work begins. */
async function makeOnce(ctx: Context, needed: NeededCrop): Promise<void> {
  const { attachment, crop } = needed
  const { crops } = (await ctx.store.attachments.byIds([attachment.id])).get(attachment.id)?.attachment ?? attachment
  if (crops.some((one) => sameCrop(one, crop))) return
  if (crops.length >= ctx.site.limits.crops) throw invalidFields([fullProblem(ctx, 'crop')])
  const files = await cropFiles(ctx, needed)
  try {
    await putFiles(ctx, files)
    await recordCrop(ctx, attachment.id, crop)
  } catch (error) {
    await recordCropNames(ctx, needed, files).catch((failure: unknown) => {
      ctx.log.warn({ failure, attachment: attachment.id, crop }, 'Files of an abandoned crop may remain.')
    })
    throw error
  }
  await recordCropNames(ctx, needed, files)
}

async function recordCrop(ctx: Context, id: string, crop: Crop): Promise<void> {
  const options = { at: ctx.now().toISOString(), limit: ctx.site.limits.crops }
  const added = await ctx.store.transaction((tx) => tx.attachments.addCrop(id, crop, options))
  if (added === 'missing') throw notFound()
  if (added === 'full') throw invalidFields([fullProblem(ctx, 'crop')])
}

/** A part of an image whose files are needed. */
export interface NeededCrop {
  readonly attachment: Attachment
  readonly crop: Crop
}

/** The files of a crop, made from the original. Throws as `fetchOriginal` does. */
export async function cropFiles(ctx: Context, { attachment, crop }: NeededCrop): Promise<NamedFile[]> {
  const { makeCrop } = await openImages()
  return withTemporaryFile(async (path) => {
    await fetchOriginal(ctx, attachment, path)
    const { extension } = attachment
    const { original, sizes } = await makeCrop(path, { image: factsOf(attachment), extension }, crop)
    const whole = { name: fileName(attachment, null, crop), content: { source: original } }
    return [whole, ...sizeFiles(attachment, sizes, crop)]
  })
}

/**
 * Copies the original of an attachment to a local path. Throws `unavailable` when it is not there, `notfound` when the
 * attachment was removed meanwhile.
 */
export async function fetchOriginal(ctx: Context, attachment: Attachment, path: string): Promise<void> {
  if (await ctx.files.fetch(fileName(attachment), path)) return
  if (!(await ctx.store.attachments.byIds([attachment.id])).has(attachment.id)) throw notFound()
  ctx.log.error({ attachment: attachment.id }, 'The original of an attachment is missing from the uploads.')
  throw unavailable('The original of this image cannot be read just now. Try again later.')
}

/** The most times that names are put in order again while other processes add and remove crops with the same names. */
const ROUNDS = 5

/** Whether the database has the crop, and whether it has the one that uses its alternate name. */
interface RecordedCrops {
  readonly own: boolean
  readonly alternate: boolean
}

/**
 * Puts in order what lies under both names of a crop (§4.3), after it was recorded or given up. `files` are those
 * of the crop. A recorded crop has its own name; where browsers fetch from elsewhere than this service, also the other
 * one, unless that is another crop's own name; unrecorded files are removed. Others may do the same at the same moment,
 * so the database is asked again afterwards, until its answer stays the same.
 */
export async function recordCropNames(ctx: Context, needed: NeededCrop, files: readonly NamedFile[]): Promise<void> {
  let recorded = await recordedCrops(ctx, needed)
  for (let round = 1; round <= ROUNDS; round += 1) {
    await putInOrder(ctx, needed, files, recorded)
    const now = await recordedCrops(ctx, needed)
    if (now.own === recorded.own && now.alternate === recorded.alternate) return
    recorded = now
  }
}

async function recordedCrops(ctx: Context, { attachment, crop }: NeededCrop): Promise<RecordedCrops> {
  const crops = (await ctx.store.attachments.byIds([attachment.id])).get(attachment.id)?.attachment.crops ?? []
  const alternate = alternateOf(crop)
  return {
    own: crops.some((one) => sameCrop(one, crop)),
    alternate: alternate !== null && crops.some((one) => sameCrop(one, alternate)),
  }
}

async function putInOrder(
  ctx: Context,
  { attachment, crop }: NeededCrop,
  files: readonly NamedFile[],
  recorded: RecordedCrops,
): Promise<void> {
  const alternate = ctx.files.isServedElsewhere ? alternateOf(crop) : null
  const others = alternate === null ? [] : underOtherNames(files)
  if (alternate === null || !recorded.alternate) {
    if (!recorded.own) {
      await dropFiles(
        ctx,
        [...files, ...others].map(({ name }) => name),
      )
      return
    }
    return putFiles(ctx, [...(await missing(ctx, files)), ...others])
  }
  const ofAlternate = await cropFiles(ctx, { attachment, crop: alternate })
  await putFiles(ctx, recorded.own ? [...files, ...ofAlternate] : underOtherNames(ofAlternate))
}

/** The files that another caller, giving up the same crop, has removed again. */
async function missing(ctx: Context, files: readonly NamedFile[]): Promise<NamedFile[]> {
  const found = await Promise.all(files.map(({ name }) => ctx.files.facts(name)))
  return files.filter((_file, index) => found[index] === null)
}

/** A crop's files once more, under the names that existing clients ask for. */
function underOtherNames(files: readonly NamedFile[]): NamedFile[] {
  return files.flatMap(({ name, content }) => {
    const other = alternativeName(name)
    return other === null ? [] : [{ name: other, content: { ...content, mayChange: true } }]
  })
}
