import type { Context } from '../../engine/context.ts'
import { prepareCrops } from '../../engine/media/requested-crops.ts'
import { preparePatch, replace, update } from '../../engine/operations/update.ts'
import { write } from '../../engine/write.ts'
import type { Reply, RouteRequest } from '../../http/requests/route.ts'
import type { Type } from '../../model/declared/types.ts'
import { copyToEdit } from './permit-pieces.ts'
import { presentWritten } from './present-piece.ts'

/** Changes some fields of a piece (§4.1 PATCH), also by dot paths, `@id` paths and operators. */
export async function updatePiece(ctx: Context, type: Type, request: RouteRequest): Promise<Reply> {
  const id = copyToEdit(ctx, type, request.params._id ?? '')
  await preparePatch(ctx, id, request.body)
  const { document } = await write(ctx, (ctx) => update(ctx, { type, id, ifMatch: request.ifMatch }, request.body))
  return presentWritten(ctx, type, document)
}

/** Replaces a piece (§4.1 PUT): what the body leaves out becomes blank or its default. */
export async function replacePiece(ctx: Context, type: Type, request: RouteRequest): Promise<Reply> {
  const id = copyToEdit(ctx, type, request.params._id ?? '')
  await prepareCrops(ctx, request.body)
  const { document, notRestored } = await write(ctx, (ctx) =>
    replace(ctx, { type, id, ifMatch: request.ifMatch }, request.body),
  )
  const reply = await presentWritten(ctx, type, document)
  return notRestored ? reply.with({ notRestored }) : reply
}
