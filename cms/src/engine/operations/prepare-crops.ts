import { CmsError } from '../../base/errors.ts'
import { isObject, type Json, own, type UnknownObject } from '../../base/json.ts'
import { inTurns } from '../../base/turns.ts'
import { openValues } from '../../model/terms/document.ts'
import { DocumentId } from '../../model/terms/document-id.ts'
import { CROP_NUMBERS } from '../../model/values/crop.ts'
import type { Context } from '../context.ts'
import { makeCrop } from '../media/crops.ts'
import { imageType, type RequestedCrop, tryCrops } from '../media/requested-crops.ts'
import { patchableForm } from '../values/field-access.ts'
import { patch } from '../values/patch.ts'
import { unseenDocuments } from '../values/unseen-documents.ts'
import { viewOf } from '../view.ts'

/**
 * Makes the crops that values from outside ask for (§4.3), before the transaction that will check them, so that no
 * transaction waits for images. Whatever looks like the relationship values of an image counts, at any depth; problems
 * are reported later, with their paths.
 */
export async function prepareCrops(ctx: Context, values: unknown): Promise<void> {
  const image = imageType(ctx)
  const requested = [...requestedAnywhere(values)]
  if (requested.length === 0 || image === undefined || viewOf(ctx.actor, image) === null) return
  for (const { fitting } of await tryCrops(ctx.store.attachments, requested)) {
    for (const crop of fitting) await makeCrop(ctx, crop).catch(passOver)
  }
}

/** A crop that does not fit, and one of an image that was removed meanwhile, is reported when the values are checked. */
function passOver(error: unknown): void {
  if (!(error instanceof CmsError) || !['invalid', 'notfound'].includes(error.name)) throw error
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

/** A key of a patch that ends in a number of a crop, at any depth. */
const NAMES_CROP = /(^|[.])(top|left|width|height)$/

/**
 * Makes the crops that a PATCH asks for, before the transaction. What is asked for only shows once the patch is applied
 * to what is stored: done only when the body names the numbers of a crop. Problems of the patch are reported later.
 */
export async function preparePatch(ctx: Context, id: DocumentId, body: UnknownObject): Promise<void> {
  if (!namesCrop(body)) return
  const document = await ctx.store.documents.get(id)
  const type = document && ctx.site.types.get(document.type)
  if (!type) return
  const stored = { fields: type.fields, values: openValues(document) }
  const unseen = await unseenDocuments(ctx, ctx.store.documents, [stored])
  const patched = patchableForm(ctx, type, unseen.without(type.fields, stored.values))
  try {
    await inTurns(patch(type.fields, patched, body))
  } catch (error) {
    if (error instanceof CmsError) return
    throw error
  }
  await prepareCrops(ctx, patched)
}

function namesCrop(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return false
  return Object.entries(value).some(([name, inner]) => NAMES_CROP.test(name) || namesCrop(inner, depth + 1))
}
