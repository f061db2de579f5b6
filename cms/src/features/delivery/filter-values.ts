import type { Context } from '../../engine/context.ts'
import { choiceOf, choicesInUse } from '../../engine/lists/choices.ts'
import { getChoiceFilter } from '../../engine/presentation/url-operations.ts'
import { listRequest } from '../../engine/urls/index-lists.ts'
import type { IndexOptions } from '../../model/declared/types.ts'
import type { IndexRequest } from './found.ts'

/** What is asked of an index page, the value in the path as links spell it where it is in use (§4.6). */
export async function inSpelling(ctx: Context, index: IndexOptions, asked: IndexRequest): Promise<IndexRequest> {
  const spelling = await spellingInUse(ctx, index, asked)
  if (asked.inPath === null || spelling === null) return asked
  return { ...asked, filters: { ...asked.filters, [asked.inPath]: spelling } }
}

/**
 * The steps that links use for a filtered list, when others were sent: each list has one path. Null when they were
 * sent, or when the value has no path.
 */
export function linkedSteps(
  ctx: Context,
  { inPath, filters }: IndexRequest,
  { steps, rest }: { readonly steps: readonly string[]; readonly rest: readonly string[] },
): string[] | null {
  const valueAt = steps.length - rest.length + 1
  const value = inPath === null ? '' : String(filters[inPath])
  if (inPath === null || value.normalize('NFC') === steps[valueAt]) return null
  return getChoiceFilter(ctx, inPath, value).startsWith('/') ? steps.with(valueAt, value) : null
}

/**
 * How links spell the value in use that a path asks for (§4.6); null where it is not in use, or where the path names no
 * value.
 */
async function spellingInUse(
  ctx: Context,
  index: IndexOptions,
  { inPath, filters }: IndexRequest,
): Promise<string | null> {
  const type = ctx.site.types.get(index.piecesType)
  const request = type && inPath !== null ? listRequest(ctx, index, type, { filters: {}, number: 1 }) : null
  if (!request || inPath === null) return null
  const choice = choiceOf(await choicesInUse(ctx, request, inPath), String(filters[inPath]))
  return choice === undefined ? null : String(choice.value)
}
