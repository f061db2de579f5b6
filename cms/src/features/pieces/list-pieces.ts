import type { JsonObject } from '../../base/json.ts'
import { assertMayRead } from '../../engine/access/accounts.ts'
import type { Fragment } from '../../engine/answer-caching.ts'
import { Fragments } from '../../engine/answers/fragments.ts'
import type { Context } from '../../engine/context.ts'
import { choicesFor } from '../../engine/lists/choices.ts'
import { type ListRequest, pageQuery } from '../../engine/lists/find.ts'
import { withFreshSearch } from '../../engine/lists/fresh-search.ts'
import { readProjection } from '../../engine/presentation/projection.ts'
import { JoinedBytes } from '../../engine/shared-bytes.ts'
import { queryFromJson } from '../../http/requests/query-string.ts'
import { rendersAreas, textParameter } from '../../http/requests/read-parameters.ts'
import type { QueryValues } from '../../http/requests/route.ts'
import type { ShownDocument } from '../../model/declared/page-data-types.ts'
import type { Type } from '../../model/declared/types.ts'
import { type ListParameters, readListRequest } from './list-request.ts'

/** One page of the pieces of a type (§4.1 GET list): `{ pages, currentPage, results, total, choices?, counts? }`. */
export async function answerList(ctx: Context, type: Type, query: QueryValues): Promise<JoinedBytes> {
  assertMayRead(ctx, type)
  const { request: given, parameters } = readListRequest(ctx, type, query)
  const form = { project: readProjection(parameters.project), isRendered: rendersAreas(query) }
  const request = given.search === null ? given : await withFreshSearch(ctx, given)
  const { listed, total } = await listedFragments(ctx, request, new Fragments(ctx, form))
  const pages = Math.ceil(total / request.perPage)
  const rest = JSON.stringify({ total, ...(await facets(ctx, request, parameters)) })
  const results = listed.flatMap(({ text }, index) => (index === 0 ? [text] : [',', text]))
  return new JoinedBytes([
    `{"pages":${pages},"currentPage":${request.page},"results":[`,
    ...results,
    `],${rest.slice('{'.length)}`,
  ])
}

/** One page of a list of pieces, as its reader sees them. */
export interface PiecesFound {
  readonly results: ShownDocument[]
  readonly total: number
  readonly pages: number
  readonly currentPage: number
}

/**
 * Pieces of a type, for the `data` of a template: the list that the caller would get from the interface with these
 * parameters (§4.1), in the locale and mode of the request.
 *
 *     data: (ctx) => findPieces(ctx, 'article', { section: 'recipe', perPage: 3 })
 */
export async function findPieces(ctx: Context, type: string, parameters: JsonObject = {}): Promise<PiecesFound> {
  const known = ctx.site.types.get(type)
  if (known?.family !== 'piece') throw new TypeError(`The site has no piece type ${type}.`)
  const list = await answerList(ctx, known, queryFromJson(parameters))
  return JSON.parse(list.bytes().toString())
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

/** The pieces of one page of a list, and how long the list is. Only those are read that are not cached. */
async function listedFragments(
  ctx: Context,
  request: ListRequest,
  fragments: Fragments,
): Promise<{ readonly listed: readonly Fragment[]; readonly total: number }> {
  const byRow = new Map<number, Fragment>()
  const { rows, read, total } = await ctx.store.documents.page(pageQuery(request), (row) => {
    const cached = fragments.byRow(request.type.name, row)
    if (cached !== undefined) byRow.set(row, cached)
    return cached?.bytes
  })
  for (const [row, fragment] of await fragments.make(read.values(), [...byRow.values()])) byRow.set(row, fragment)
  return { listed: rows.flatMap((row) => byRow.get(row) ?? []), total }
}
