import { CmsError, conflict, invalidValue, type Problem, problemsIn } from '../../base/errors.ts'
import { isObject, type JsonObject, joinPath, own } from '../../base/json.ts'
import type { Type } from '../../model/declared/types.ts'
import type { DocId } from '../../model/terms/document-id.ts'
import { hasSizes } from '../../model/terms/image-sizes.ts'
import { CROP_NUMBERS, type Crop, readCrop, sameCrop } from '../../model/values/crop.ts'
import { storedValue, targetsOf, walk } from '../../model/values/walk.ts'
import type { Attachment, AttachmentReader } from '../../store/contract/store.ts'
import type { Context, WriteContext } from '../context.ts'

/** A crop that a document asks for, in the relationship values of an image. */
export interface RequestedCrop {
  readonly docId: DocId
  readonly numbers: JsonObject
  /** The path of those values. */
  readonly path: string
}

/** A part of an image. */
interface ImageCrop {
  readonly attachment: Attachment
  readonly crop: Crop
}

/** Fields that were just read, and those that are stored; null for a new document. */
interface ReadFields {
  readonly values: JsonObject
  readonly before: JsonObject | null
}

/**
 * Lists the problems with newly requested crops. Where an image has other files in other locales or in its draft, every
 * file that the crop fits into counts. Throws `conflict` for a crop that was not made beforehand. One statement, and
 * only when there are crops.
 */
export async function cropProblems(ctx: WriteContext, type: Type, copies: readonly ReadFields[]): Promise<Problem[]> {
  const requested = copies.flatMap((copy) => newIn(ctx, type, copy))
  if (requested.length === 0) return []
  const tried = await tryCrops(ctx.tx.read.attachments, requested)
  const isMade = ({ attachment, crop }: ImageCrop) => attachment.crops.some((one) => sameCrop(one, crop))
  const isFull = ({ attachment }: ImageCrop) => attachment.crops.length >= ctx.site.limits.crops
  const missing = tried.map(({ fitting }) => fitting.filter((one) => !isMade(one)))
  const full = requested.filter((_one, index) => missing[index]?.some(isFull))
  if (full.length === 0 && missing.flat().length > 0) {
    throw conflict('The file of an image was changed while its crop was made. Send your change again.')
  }
  const wrong = tried.flatMap(({ fitting, problems }) => (fitting.length > 0 ? [] : problems))
  return [...wrong, ...full.map(({ path }) => fullProblem(ctx, path))]
}

/** Why an image gets no further crop: `max` (§4.3). */
export function fullProblem(ctx: Context, path: string): Problem {
  const { crops } = ctx.site.limits
  return {
    path,
    name: 'max',
    message: `An image may have at most ${crops} crops, and this one has that many. Use one of them.`,
  }
}

/** The type of image pieces. */
export function imageType({ site }: Context): Type | undefined {
  return site.types.get(`${site.namespace}/image`)
}

/** A crop that was requested: the images it fits into, and what is wrong with it where it fits into none. */
interface TriedCrop {
  readonly fitting: readonly ImageCrop[]
  readonly problems: readonly Problem[]
}

/** Reads crops, each for all files that its image has. One statement. */
export async function tryCrops(
  attachments: AttachmentReader,
  requested: readonly RequestedCrop[],
): Promise<TriedCrop[]> {
  const ids = requested.map(({ docId }) => docId)
  const files = await attachments.ofDocuments(ids, 'attachment')
  return requested.map(({ docId, numbers, path }) => {
    const fitting: ImageCrop[] = []
    let problems: readonly Problem[] = [invalidValue(path, 'This image cannot be cropped.')]
    for (const attachment of (files.get(docId) ?? []).filter(hasSizes)) {
      const { width, height } = attachment
      try {
        fitting.push({ attachment, crop: readCrop(numbers, { width: width ?? 0, height: height ?? 0 }) })
      } catch (error) {
        if (!(error instanceof CmsError)) throw error
        // `readCrop` names the wrong numbers `crop.<name>`.
        problems = problemsIn(error).map((one) => ({ ...one, path: one.path.replace(/^crop/, path) }))
      }
    }
    return { fitting, problems }
  })
}

function newIn(ctx: WriteContext, type: Type, { values, before }: ReadFields): RequestedCrop[] {
  const all = requestedIn(ctx, type, values)
  if (all.length === 0 || before === null) return all
  const known = new Set(requestedIn(ctx, type, before).map(keyOf))
  return all.filter((one) => !known.has(keyOf(one)))
}

function requestedIn(ctx: WriteContext, type: Type, values: JsonObject): RequestedCrop[] {
  const requested: RequestedCrop[] = []
  const image = imageType(ctx)?.name ?? ''
  for (const { field, values: holder, path } of walk(type.fields, values)) {
    if (field.type.relation !== 'forward' || !targetsOf(field).includes(image)) continue
    const stored = storedValue(field, holder)
    const fields = isObject(stored) && isObject(stored.fields) ? stored.fields : {}
    for (const docId of Object.keys(fields)) {
      const given = own(fields, docId)
      if (!isObject(given) || CROP_NUMBERS.every((name) => typeof given[name] !== 'number')) continue
      // `as`: stored values are JSON.
      requested.push({ path: joinPath(path, docId), docId, numbers: given as JsonObject })
    }
  }
  return requested
}

function keyOf({ docId, numbers }: RequestedCrop): string {
  return [docId, ...CROP_NUMBERS.map((name) => numbers[name])].join()
}
