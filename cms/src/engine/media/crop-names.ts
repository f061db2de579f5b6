import { alternateOf, sameCrop } from '../../model/crop.ts'
import type { Context } from '../context.ts'
import { alternativeName } from './attachment-files.ts'
import { dropFiles, type NamedFile, putFiles } from './attachment-keeping.ts'
import { cropFiles, type NeededCrop } from './crop-files.ts'

/** How often the names are put in order anew while others note and remove crops of the same names. */
const ROUNDS = 5

/** Which crops the database knows: the one in question, and the one whose names are its other names. */
interface Noted {
  readonly own: boolean
  readonly twin: boolean
}

/**
 * Puts in order what lies under both names of a crop (decisions 4.3), after it was noted or given up. `files` are those
 * of the crop. A noted crop has its own name; where browsers fetch from elsewhere than this service, also the other one,
 * unless another crop has that for its own; what nobody noted goes. Others may do the same at the same moment, so the
 * database is asked again afterwards, until it says what it said.
 */
export async function settleNames(ctx: Context, needed: NeededCrop, files: readonly NamedFile[]): Promise<void> {
  let noted = await whatIsNoted(ctx, needed)
  for (let round = 1; round <= ROUNDS; round += 1) {
    await putInOrder(ctx, needed, files, noted)
    const now = await whatIsNoted(ctx, needed)
    if (now.own === noted.own && now.twin === noted.twin) return
    noted = now
  }
}

async function whatIsNoted(ctx: Context, { attachment, crop }: NeededCrop): Promise<Noted> {
  const crops = (await ctx.store.attachments.byIds([attachment.id])).get(attachment.id)?.attachment.crops ?? []
  const twin = alternateOf(crop)
  return {
    own: crops.some((one) => sameCrop(one, crop)),
    twin: twin !== null && crops.some((one) => sameCrop(one, twin)),
  }
}

async function putInOrder(
  ctx: Context,
  { attachment, crop }: NeededCrop,
  files: readonly NamedFile[],
  noted: Noted,
): Promise<void> {
  const twin = ctx.files.isServedElsewhere ? alternateOf(crop) : null
  const others = twin === null ? [] : underOtherNames(files)
  if (twin === null || !noted.twin) {
    if (!noted.own)
      return dropFiles(
        ctx,
        [...files, ...others].map(({ name }) => name),
      )
    return putFiles(ctx, [...(await missing(ctx, files)), ...others])
  }
  const ofTwin = await cropFiles(ctx, { attachment, crop: twin })
  await putFiles(ctx, noted.own ? [...files, ...ofTwin] : underOtherNames(ofTwin))
}

/** Those that somebody who gave up the same crop has taken away again. */
async function missing(ctx: Context, files: readonly NamedFile[]): Promise<NamedFile[]> {
  const found = await Promise.all(files.map(({ name }) => ctx.files.facts(name)))
  return files.filter((_file, place) => found[place] === null)
}

/** A crop's files once more, under the names that existing clients ask for. */
function underOtherNames(files: readonly NamedFile[]): NamedFile[] {
  return files.flatMap(({ name, content }) => {
    const other = alternativeName(name)
    return other === null ? [] : [{ name: other, content: { ...content, mayChange: true } }]
  })
}
