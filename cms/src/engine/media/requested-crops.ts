import { CmsError, conflict, type Problem } from '../../base/errors.ts'
import { isObject, type Json, type JsonObject, own } from '../../base/json.ts'
import { joinPath } from '../../base/path.ts'
import type { Type } from '../../model/declared/types.ts'
import { type DocId, DocumentId } from '../../model/terms/document.ts'
import { hasSizes } from '../../model/terms/image-sizes.ts'
import { CROP_NUMBERS, type Crop, sameCrop } from '../../model/values/crop.ts'
import { targetOf } from '../../model/values/target.ts'
import { storedValue, walk } from '../../model/values/walk.ts'
import type { Attachment, AttachmentReader } from '../../store/contract/store.ts'
import type { Context, WriteContext } from '../context.ts'
import { readAccess } from '../permissions.ts'

/** A crop that a document asks for, in the relationship values of an image. */
interface RequestedCrop {
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
 * Makes the crops that values from outside ask for (§4.3), before the transaction that will check them, so that no
 * transaction waits for images. Whatever looks like the relationship values of an image counts, at any depth; problems
 * are reported later, with their paths.
 */
export async function prepareCrops(ctx: Context, values: unknown): Promise<void> {
  const image = imageType(ctx)
  const requested = [...requestedAnywhere(values)]
  if (requested.length === 0 || image === undefined || readAccess(ctx.actor, image) === null) return
  const { makeCrop } = await import('./crops.ts')
  for (const { fitting } of await tryCrops(ctx.store.attachments, requested)) {
    for (const crop of fitting) await makeCrop(ctx, crop).catch(passOver)
  }
}

/**
 * What is wrong with the crops that read values ask for and that were not requested before. Of an image with other
 * files in other locales or in its draft every file that the crop fits into counts. Throws `conflict` for a crop that
 * was not made beforehand. One statement, and only when there are crops.
 */
export async function cropProblems(ctx: WriteContext, type: Type, copies: readonly ReadFields[]): Promise<Problem[]> {
  const requested = copies.flatMap((copy) => newIn(ctx, type, copy))
  if (requested.length === 0) return []
  const tried = await tryCrops(ctx.tx.read.attachments, requested)
  const { fullProblem } = await import('./crops.ts')
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

/** A crop that does not fit, and one of an image that was removed meanwhile, is reported when the values are checked. */
function passOver(error: unknown): void {
  if (!(error instanceof CmsError) || !['invalid', 'notfound'].includes(error.name)) throw error
}

function imageType({ site }: Context): Type | undefined {
  return site.types.get(`${site.namespace}/image`)
}

/** A crop that was requested: the images it fits into, and what is wrong with it where it fits into none. */
interface TriedCrop {
  readonly fitting: readonly ImageCrop[]
  readonly problems: readonly Problem[]
}

async function tryCrops(attachments: AttachmentReader, requested: readonly RequestedCrop[]): Promise<TriedCrop[]> {
  const { readCrop } = await import('../../images/crop-image.ts')
  const ids = requested.map(({ docId }) => docId)
  const files = await attachments.ofDocuments(ids, 'attachment')
  return requested.map(({ docId, numbers, path }) => {
    const fitting: ImageCrop[] = []
    let problems: readonly Problem[] = [{ path, name: 'invalid', message: 'This image cannot be cropped.' }]
    for (const attachment of (files.get(docId) ?? []).filter(hasSizes)) {
      const { width, height } = attachment
      try {
        fitting.push({ attachment, crop: readCrop(numbers, { width: width ?? 0, height: height ?? 0 }) })
      } catch (error) {
        if (!(error instanceof CmsError)) throw error
        // `as`: what `readCrop` throws lists the numbers that are wrong, as `crop.<name>`.
        const wrong = error.data.errors as readonly Problem[]
        problems = wrong.map((one) => ({ ...one, path: one.path.replace(/^crop/, path) }))
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
  for (const { field, values: holder, path } of walk(type.fields, values)) {
    if (field.type.relation !== 'forward' || targetOf(field) !== imageType(ctx)?.name) continue
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

/** Deeper than any document: what is beyond is refused later. */
const DEEPEST = 200

/** `{ _id, _fields: { top … } }` and `<rel>Fields: { <id>: { top … } }`, at any depth of JSON. */
function* requestedAnywhere(value: unknown, depth = 0): Generator<RequestedCrop> {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return
  for (const inner of Object.values(value)) yield* requestedAnywhere(inner, depth + 1)
  if (!isObject(value)) return
  if (typeof value._id === 'string') yield* requestedBy(value._id, value._fields)
  for (const [name, given] of Object.entries(value)) {
    if (!name.endsWith('Fields') || !isObject(given)) continue
    for (const [id, numbers] of Object.entries(given)) yield* requestedBy(id, numbers)
  }
}

function* requestedBy(id: string, given: unknown): Generator<RequestedCrop> {
  const docId = DocumentId.parse(id)?.docId
  if (docId === undefined || !isObject(given)) return
  const numbers = CROP_NUMBERS.map((name) => [name, toNumber(own(given, name))] as const)
  if (numbers.every(([, number]) => number !== null)) {
    yield { docId, numbers: Object.fromEntries<Json>(numbers), path: '' }
  }
}

/** Numbers are taken as texts too, as fields take them. */
function toNumber(value: unknown): number | null {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}
