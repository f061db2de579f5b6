import { late } from '../../base/late.ts'
import { assertMayRead } from '../../engine/access/accounts.ts'
import type { Context } from '../../engine/context.ts'
import { find, type ListRequest } from '../../engine/lists/find.ts'
import { withFreshSearch } from '../../engine/lists/search-index.ts'
import { present } from '../../engine/presentation/present.ts'
import { readProjection } from '../../engine/presentation/projection.ts'
import { addStylesheets } from '../../engine/styles/stylesheet.ts'
import { flag, textParameter } from '../../http/input.ts'
import type { QueryValues } from '../../http/route.ts'
import type { Type } from '../../model/types.ts'
import { type ListParameters, readListRequest } from './list-request.ts'

const choicesFor = late(() => import('../../engine/lists/choices.ts'), 'choicesFor')
const renderAreas = late(() => import('../../engine/rendering/open-scene.ts'), 'renderAreas')

/** One page of the pieces of a type (§4.1 GET list): `{ pages, currentPage, results, total, choices?, counts? }`. */
export async function listPieces(ctx: Context, type: Type, query: QueryValues): Promise<object> {
  assertMayRead(ctx, type)
  const { request: given, parameters } = readListRequest(ctx, type, query)
  const project = readProjection(parameters.project)
  const request = await withFreshSearch(ctx, given)
  const { documents, total, pages } = await find(ctx, request)
  const isDrawn = flag(query, 'render-areas')
  const results = await present(ctx, documents, { type, access: request.access, project, isDrawn })
  await addStylesheets(ctx, type, documents, results, project)
  if (isDrawn) await renderAreas(ctx, results)
  return { pages, currentPage: request.page, results, total, ...(await facets(ctx, request, parameters)) }
}

/** `choices=a,b` and `counts=a,b`: the values in use of each, with counts where requested. */
async function facets(ctx: Context, request: ListRequest, parameters: ListParameters): Promise<object> {
  const named = (name: 'choices' | 'counts') => (textParameter(parameters, name) ?? '').split(',').filter(Boolean)
  const counted = named('counts')
  const choices: Record<string, object[]> = {}
  const counts: Record<string, object[]> = {}
  for (const name of new Set([...named('choices'), ...counted])) {
    const found = await choicesFor(ctx, request, name)
    if (!found) continue
    choices[name] = counted.includes(name) ? found : found.map(({ count: _count, ...choice }) => choice)
    if (counted.includes(name)) counts[name] = found
  }
  return {
    ...(parameters.choices === undefined && parameters.counts === undefined ? {} : { choices }),
    ...(parameters.counts === undefined ? {} : { counts }),
  }
}
