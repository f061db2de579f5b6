import { notFound } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import type { JsonObject } from '../../base/json.ts'
import { withAiMark } from '../../engine/ai-mark.ts'
import type { Context } from '../../engine/context.ts'
import { insertMany } from '../../engine/documents/insert.ts'
import { prepareCrops } from '../../engine/media/requested-crops.ts'
import { readAccess } from '../../engine/permissions.ts'
import { present } from '../../engine/presentation/present.ts'
import { addSchedules } from '../../engine/presentation/schedules.ts'
import { write } from '../../engine/write.ts'
import type { Type } from '../../model/types.ts'
import { assertNotSingleton } from './insert.ts'
import { copyToInsert } from './permit.ts'

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
