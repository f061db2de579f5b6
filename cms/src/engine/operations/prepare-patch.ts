import { CmsError } from '../../base/errors.ts'
import { type DocumentId, openValues } from '../../model/terms/document.ts'
import type { Context } from '../context.ts'
import { prepareCrops } from '../media/prepare-crops.ts'
import { patchableForm } from '../values/field-access.ts'
import { patch } from '../values/patch.ts'
import { unseenDocuments } from '../values/unseen-documents.ts'

type Body = { readonly [name: string]: unknown }

/** A key of a patch that ends in a number of a crop, at any depth. */
const NAMES_CROP = /(^|[.])(top|left|width|height)$/

/**
 * Makes the crops that a PATCH asks for, before the transaction. What is asked for only shows once the patch is applied
 * to what is stored: done only when the body names the numbers of a crop. Problems of the patch are reported later.
 */
export async function preparePatch(ctx: Context, id: DocumentId, body: Body): Promise<void> {
  if (!namesCrop(body)) return
  const document = await ctx.store.documents.get(id)
  const type = document && ctx.site.types.get(document.type)
  if (!type) return
  const stored = { fields: type.fields, values: openValues(document) }
  const unseen = await unseenDocuments(ctx, ctx.store.documents, [stored])
  const patched = patchableForm(ctx, type, unseen.without(type.fields, stored.values))
  try {
    patch(type.fields, patched, body)
  } catch (error) {
    if (error instanceof CmsError) return
    throw error
  }
  await prepareCrops(ctx, patched)
}

/** Deeper than any document. */
const DEEPEST = 200

function namesCrop(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return false
  return Object.entries(value).some(([name, inner]) => NAMES_CROP.test(name) || namesCrop(inner, depth + 1))
}
