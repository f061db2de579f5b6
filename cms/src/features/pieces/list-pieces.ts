import { late } from '../../base/late.ts'
import { assertMayRead } from '../../engine/access/accounts.ts'
import type { Fragment } from '../../engine/answer-caching.ts'
import type { Context } from '../../engine/context.ts'
import { find, type ListRequest, pageQuery } from '../../engine/lists/find.ts'
import type { Fragments } from '../../engine/presentation/fragments.ts'
import { present } from '../../engine/presentation/present.ts'
import { readProjection } from '../../engine/presentation/projection.ts'
import { JoinedBytes } from '../../engine/shared-bytes.ts'
import { addStylesheets } from '../../engine/styles/stylesheet.ts'
import { rendersAreas, textParameter } from '../../http/requests/read-parameters.ts'
import type { QueryValues } from '../../http/requests/route.ts'
import type { Type } from '../../model/declared/types.ts'
import { type ListParameters, readListRequest } from './list-request.ts'
import { pieceFragments } from './read-piece.ts'

const addSchedules = late(() => import('../../engine/presentation/add-schedules.ts'), 'addSchedules')
const choicesFor = late(() => import('../../engine/lists/choices.ts'), 'choicesFor')
const withFreshSearch = late(() => import('../../engine/lists/fresh-search.ts'), 'withFreshSearch')
const renderAreas = late(() => import('../../engine/rendering/open-scene.ts'), 'renderAreas')

/**
 * One page of the pieces of a type (§4.1 GET list): `{ pages, currentPage, results, total, choices?, counts? }`, as
 * text that is put together of what is cached.
 */
export async function answerList(ctx: Context, type: Type, query: QueryValues): Promise<object> {
  if (rendersAreas(query)) return listPieces(ctx, type, query)
  assertMayRead(ctx, type)
  const { request: given, parameters } = readListRequest(ctx, type, query)
  if (type.scheduling && given.view.mode === 'draft') return listPieces(ctx, type, query)
  const project = readProjection(parameters.project)
  const request = given.search === null ? given : await withFreshSearch(ctx, given)
  const fragments = pieceFragments(ctx, type, request.access, project)
  const { listed, total } = await listedFragments(ctx, request, fragments)
  const pages = Math.ceil(total / request.perPage)
  const rest = JSON.stringify({ total, ...(await facets(ctx, request, parameters)) })
  const results = listed.flatMap(({ text }, index) => (index === 0 ? [text] : [',', text]))
  return new JoinedBytes([
    `{"pages":${pages},"currentPage":${request.page},"results":[`,
    ...results,
    `],${rest.slice('{'.length)}`,
  ])
}

/** The same as an object, with areas rendered where that is asked for. */
export async function listPieces(ctx: Context, type: Type, query: QueryValues): Promise<object> {
  assertMayRead(ctx, type)
  const { request: given, parameters } = readListRequest(ctx, type, query)
  const project = readProjection(parameters.project)
  const request = given.search === null ? given : await withFreshSearch(ctx, given)
  const { documents, total, pages } = await find(ctx, request)
  const isRendered = rendersAreas(query)
  const results = await present(ctx, documents, { type, access: request.access, project, isRendered })
  await addStylesheets(ctx, type, documents, results, project)
  if (type.scheduling) await addSchedules(ctx, documents, results, { type, access: request.access, project })
  if (isRendered) await renderAreas(ctx, results)
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

/** The pieces of one page of a list as JSON text, and how long the list is. Only those are read that are not cached. */
export async function listedFragments(
  ctx: Context,
  request: ListRequest,
  fragments: Fragments,
): Promise<{ readonly listed: readonly Fragment[]; readonly total: number }> {
  const byRow = new Map<number, Fragment>()
  const { rows, read, total } = await ctx.store.documents.page(pageQuery(request), (row) => {
    const cached = fragments.byRow(row)
    if (cached !== undefined) byRow.set(row, cached)
    return cached?.bytes
  })
  for (const [row, fragment] of await fragments.make(read, [...byRow.values()])) byRow.set(row, fragment)
  return { listed: rows.flatMap((row) => byRow.get(row) ?? []), total }
}
