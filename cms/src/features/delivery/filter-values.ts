import type { Context } from '../../engine/context.ts'
import { type ChoiceCount, choiceOf, choicesInUse } from '../../engine/lists/choices.ts'
import type { ListRequest } from '../../engine/lists/find.ts'
import { listRequest } from '../../engine/urls/index-lists.ts'
import type { IndexOptions } from '../../model/types.ts'
import { cached } from './cached.ts'
import type { IndexRequest } from './dispatch.ts'

/** The values of a filter in use on a whole list. One statement, cached while the content stands. */
export function valuesInUse(ctx: Context, request: ListRequest, filter: string): Promise<readonly ChoiceCount[]> {
  return cached(ctx, `values ${request.type.name} ${filter}`, () => choicesInUse(ctx, request, filter))
}

/**
 * How links spell the value in use that a path asks for (§4.6); null where it is not in use, or where the path names no
 * value.
 */
export async function spellingInUse(
  ctx: Context,
  index: IndexOptions,
  { inPath, filters }: IndexRequest,
): Promise<string | null> {
  const type = ctx.site.types.get(index.piecesType)
  const request = type && inPath !== null ? listRequest(ctx, index, type, { filters: {}, number: 1 }) : null
  if (!request || inPath === null) return null
  const choice = choiceOf(await valuesInUse(ctx, request, inPath), String(filters[inPath]))
  return choice === undefined ? null : String(choice.value)
}
