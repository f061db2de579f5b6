import { invalid } from '../../base/errors.ts'
import type { Context } from '../../engine/context.ts'
import { prepareCrops } from '../../engine/media/requested-crops.ts'
import { insert } from '../../engine/operations/insert.ts'
import { write } from '../../engine/write.ts'
import type { Reply } from '../../http/requests/route.ts'
import type { Type } from '../../model/declared/types.ts'
import { copyToInsert } from './permit-pieces.ts'
import { presentWritten } from './present-piece.ts'

/** Makes a piece (§4.1 POST): both copies in published mode, only the draft with `aposMode=draft`. */
export async function insertPiece(
  ctx: Context,
  type: Type,
  body: { readonly [name: string]: unknown },
): Promise<Reply> {
  const { locale, mode } = copyToInsert(ctx, type)
  assertNotSingleton(type)
  await prepareCrops(ctx, body)
  const document = await write(ctx, (ctx) => insert(ctx, { type, locale, mode }, body))
  return presentWritten(ctx, type, document)
}

/** Refuses to make another document of a type that has exactly one. */
export function assertNotSingleton({ singleton, label }: Type): void {
  if (singleton) throw invalid(`${label} is a singleton, made at start: change it with PATCH.`)
}
