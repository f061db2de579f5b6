import { notFound } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import { own } from '../../base/json.ts'
import type { Context } from '../../engine/context.ts'
import { type ProposedSlug, proposeSlug } from '../../engine/operations/propose-slug.ts'
import type { RouteRequest } from '../../http/requests/route.ts'
import type { Type } from '../../model/declared/types.ts'
import { copyToEdit, copyToInsert } from './permit-pieces.ts'

/** Proposes the slug of a piece, which `_id` names, or of a new one (§2.12). */
export async function proposePieceSlug(
  ctx: Context,
  type: Type,
  { body }: Pick<RouteRequest, 'body'>,
): Promise<ProposedSlug> {
  const named = own(body, '_id') ?? null
  const isNew = named === null
  const id = isNew ? { ...copyToInsert(ctx, type), docId: newId() } : copyToEdit(ctx, type, String(named))
  const copies = await ctx.store.documents.copies(id.docId, id.locale)
  if (!isNew && copies[id.mode]?.type !== type.name) throw notFound()
  return proposeSlug(ctx, { id, type, copies, position: null, parentSlug: '/' }, body)
}
