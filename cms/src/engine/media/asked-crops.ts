import { CmsError, type Problem } from '../../base/errors.ts'
import { isObject, type JsonObject, own } from '../../base/json.ts'
import { joinPath } from '../../base/path.ts'
import { CROP_NUMBERS, type Crop, sameCrop } from '../../model/crop.ts'
import type { DocId } from '../../model/document.ts'
import { storedValue, walk } from '../../model/schema.ts'
import type { Type } from '../../model/types.ts'
import type { Attachment } from '../../store/store.ts'
import type { WriteContext } from '../context.ts'
import type { ReadValues } from '../documents/references.ts'
import { targetOf } from '../related.ts'
import { hasSizes } from './attachment-files.ts'
import type { NeededCrop } from './crops.ts'

/** What a relationship to images says of one of them, with the place it says it at. */
interface Asked {
  readonly path: string
  readonly docId: DocId
  readonly values: JsonObject
}

/** Crops whose files are missing: `write` makes them, and then does the work again. */
export class CropsNeeded extends Error {
  readonly crops: readonly NeededCrop[]

  constructor(crops: readonly NeededCrop[]) {
    super('Crops of images are to be made first.')
    this.crops = crops
  }
}

/**
 * The crops that the read values ask for in image relationships and that were not asked for before (§4.3):
 * what is wrong with them, and those whose files are to be made. Of an image with other files in other locales or in its
 * draft every file that the crop fits into counts. One statement, and only when there are crops.
 */
export async function askedCrops(
  ctx: WriteContext,
  type: Type,
  copies: readonly ReadValues[],
): Promise<{ readonly problems: readonly Problem[]; readonly needed: readonly NeededCrop[] }> {
  const asked = copies.flatMap((copy) => newIn(ctx, type, copy))
  if (asked.length === 0) return { problems: [], needed: [] }
  const { readCrop } = await import('../../images/crop.ts')
  const files = await ctx.tx.attachments.ofDocuments(
    asked.map(({ docId }) => docId),
    'attachment',
  )
  const problems: Problem[] = []
  const needed: NeededCrop[] = []
  for (const { path, docId, values } of asked) {
    const tried = (files.get(docId) ?? [])
      .filter(hasSizes)
      .map((attachment) => tryCrop(readCrop, attachment, values, path))
    const fitting = tried.flatMap((one) => (one.crop === null ? [] : [{ attachment: one.attachment, crop: one.crop }]))
    needed.push(...fitting.filter(({ attachment, crop }) => !attachment.crops.some((one) => sameCrop(one, crop))))
    if (fitting.length > 0) continue
    problems.push(...(tried[0]?.problems ?? [{ path, name: 'invalid', message: 'This image cannot be cropped.' }]))
  }
  return { problems, needed }
}

interface Tried {
  readonly attachment: Attachment
  readonly crop: Crop | null
  readonly problems: readonly Problem[]
}

type ReadCrop = typeof import('../../images/crop.ts').readCrop

function tryCrop(readCrop: ReadCrop, attachment: Attachment, values: JsonObject, path: string): Tried {
  const { width, height } = attachment
  try {
    return { attachment, crop: readCrop(values, { width: width ?? 0, height: height ?? 0 }), problems: [] }
  } catch (error) {
    if (!(error instanceof CmsError)) throw error
    // `as`: what `readCrop` throws lists the numbers that are wrong, as `crop.<name>`.
    const problems = error.data.errors as readonly Problem[]
    return {
      attachment,
      crop: null,
      problems: problems.map((one) => ({ ...one, path: one.path.replace(/^crop/, path) })),
    }
  }
}

function newIn(ctx: WriteContext, type: Type, { values, before }: ReadValues): Asked[] {
  const all = askedIn(ctx, type, values)
  if (all.length === 0 || before === null) return all
  const known = new Set(askedIn(ctx, type, before).map(keyOf))
  return all.filter((one) => !known.has(keyOf(one)))
}

function askedIn(ctx: WriteContext, type: Type, values: JsonObject): Asked[] {
  const asked: Asked[] = []
  for (const { field, values: holder, path } of walk(type.fields, values)) {
    if (field.type.relation !== 'forward' || targetOf(field) !== `${ctx.site.namespace}/image`) continue
    const stored = storedValue(field, holder)
    const fields = isObject(stored) && isObject(stored.fields) ? stored.fields : {}
    for (const docId of Object.keys(fields)) {
      const said = own(fields, docId)
      if (!isObject(said) || CROP_NUMBERS.every((name) => typeof said[name] !== 'number')) continue
      // `as`: stored values are JSON.
      asked.push({ path: joinPath(path, docId), docId, values: said as JsonObject })
    }
  }
  return asked
}

function keyOf({ docId, values }: Asked): string {
  return [docId, ...CROP_NUMBERS.map((name) => values[name])].join()
}
