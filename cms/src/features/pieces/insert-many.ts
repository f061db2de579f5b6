import { notFound } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import type { JsonObject } from '../../base/json.ts'
import { withAiMark } from '../../engine/ai-mark.ts'
import type { Context } from '../../engine/context.ts'
import { prepareCrops } from '../../engine/media/requested-crops.ts'
import { insertMany } from '../../engine/operations/insert.ts'
import { readAccess } from '../../engine/permissions.ts'
import { addSchedules } from '../../engine/presentation/add-schedules.ts'
import { present } from '../../engine/presentation/present.ts'
import { write } from '../../engine/write.ts'
import type { Type } from '../../model/declared/types.ts'
import { assertNotSingleton } from './insert-piece.ts'
import { copyToInsert } from './permit-pieces.ts'

type Body = { readonly [name: string]: unknown }

/** Makes many pieces, all or none, and returns them as their writer sees them. One that is AI-written marks all. */
export async function insertPieces(given: Context, type: Type, bodies: readonly Body[]): Promise<JsonObject[]> {
  const ctx = bodies.reduce(withAiMark, given)
  const { locale, mode } = copyToInsert(ctx, type)
  assertNotSingleton(type)
  const access = readAccess(ctx.actor, type)
  if (!access) throw notFound()
  for (const body of bodies) await prepareCrops(ctx, body)
  const made = bodies.map((body) => ({ docId: newId(), body }))
  const documents = await write(ctx, (ctx) => insertMany(ctx, { type, locale, mode }, made))
  const answers = await present(ctx, documents, { type, access, project: null, whenRelatedTooLong: 'shorten' })
  await addSchedules(ctx, documents, answers, { type, access, project: null })
  return answers
}
