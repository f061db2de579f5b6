import { notFound } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import { withAiMark } from '../../engine/ai-mark.ts'
import { Fragments } from '../../engine/answers/fragments.ts'
import type { Context } from '../../engine/context.ts'
import { prepareCrops } from '../../engine/media/requested-crops.ts'
import { insertMany } from '../../engine/operations/insert.ts'
import { readAccess } from '../../engine/permissions.ts'
import { JoinedBytes } from '../../engine/shared-bytes.ts'
import { write } from '../../engine/write.ts'
import type { Type } from '../../model/declared/types.ts'
import { assertNotSingleton } from './insert-piece.ts'
import { copyToInsert } from './permit-pieces.ts'

type Body = { readonly [name: string]: unknown }

/** Makes many pieces, all or none, and answers a list of them as their writer sees them. One that is AI-written marks all. */
export async function insertPieces(given: Context, type: Type, bodies: readonly Body[]): Promise<JoinedBytes> {
  const ctx = bodies.reduce(withAiMark, given)
  const { locale, mode } = copyToInsert(ctx, type)
  assertNotSingleton(type)
  if (readAccess(ctx.actor, type) === null) throw notFound()
  for (const body of bodies) await prepareCrops(ctx, body)
  const made = bodies.map((body) => ({ docId: newId(), body }))
  const documents = await write(ctx, (ctx) => insertMany(ctx, { type, locale, mode }, made))
  const fragments = await new Fragments(ctx, { project: null, isWritten: true }).written(documents)
  return new JoinedBytes(['[', ...fragments.flatMap(({ text }, index) => (index === 0 ? [text] : [',', text])), ']'])
}
