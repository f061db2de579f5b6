import type { Context } from '../../engine/context.ts'
import { remove } from '../../engine/operations/remove.ts'
import { write } from '../../engine/write.ts'
import type { RouteRequest } from '../../http/requests/route.ts'
import type { Type } from '../../model/declared/types.ts'
import { copyToDelete } from './permit-pieces.ts'

/** Removes a piece in one locale for good (§4.1 DELETE). Returns `{}`. */
export async function removePiece(ctx: Context, type: Type, request: RouteRequest): Promise<object> {
  const id = copyToDelete(ctx, type, request.params._id ?? '')
  await write(ctx, (ctx) => remove(ctx, type, id, request.ifMatch))
  return {}
}
