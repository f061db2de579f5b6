import { invalid } from '../../base/errors.ts'
import type { Fragment } from '../../engine/answer-caching.ts'
import { Fragments } from '../../engine/answers/fragments.ts'
import type { SiteContext } from '../../engine/content-operations.ts'
import type { Context } from '../../engine/context.ts'
import { type ChoiceCount, choicesFor } from '../../engine/lists/choices.ts'
import { comparisonsIn, type ListRequest, matching, pageQuery } from '../../engine/lists/find.ts'
import { withFreshSearch } from '../../engine/lists/fresh-search.ts'
import { highlightsOf } from '../../engine/lists/highlight.ts'
import { withMistakes } from '../../engine/lists/mistakes.ts'
import { STATES } from '../../engine/lists/states.ts'
import { assertMayRead } from '../../engine/permissions.ts'
import { identityOf } from '../../engine/presentation/prepare.ts'
import { isOfIds } from '../../engine/presentation/projection.ts'
import { JoinedBytes, type TextPart } from '../../engine/shared-bytes.ts'
import { queryFromJson } from '../../http/requests/query-string.ts'
import { flag, rendersAreas, textParameter } from '../../http/requests/read-parameters.ts'
import type { QueryValues } from '../../http/requests/route.ts'
import { checkNames } from '../../http/requests/unknown-names.ts'
import type { ContentList, QueryOf } from '../../model/declared/content-query.ts'
import type { ShownDocumentOf } from '../../model/declared/shown.ts'
import type { ModelOf, PieceName, SiteDeclaration } from '../../model/declared/site-model.ts'
import type { Type } from '../../model/declared/types.ts'
import type { View } from '../../store/contract/store.ts'
import { type ListParameters, namesIn, readListRequest, takesListParameter } from './list-request.ts'
import { listNames } from './piece-parameters.ts'

/** Answers a page of the pieces of a type (§4.1): `{ pages, currentPage, results, total, choices?, counts? }`. */
export async function answerList(ctx: Context, type: Type, query: QueryValues): Promise<JoinedBytes> {
  assertMayRead(ctx, type)
  const { request: given, project, parameters, counted } = readListRequest(ctx, type, query)
  assertFewFacets(given, parameters)
  const isMarked = given.search !== null && flag(parameters, 'highlight')
  const fragments = new Fragments(ctx, { project, isRendered: rendersAreas(query), isOpen: isMarked })
  const read = (request: ListRequest) =>
    isOfIds(project) && !isMarked ? listedIds(ctx, request) : listedFragments(ctx, request, fragments)
  const { request, listed, total } = await foundTexts(ctx, given, read)
  const pages = Math.ceil(total / request.perPage)
  const rest = JSON.stringify({ total, ...(await facets(ctx, { request, byState: counted }, parameters)) })
  const ends = isMarked ? await highlightEnds(ctx, request, listed) : []
  const results = listed.flatMap(({ text }, index) => [index === 0 ? '' : `${ends[index - 1] ?? ''},`, text])
  return new JoinedBytes([
    `{"pages":${pages},"currentPage":${request.page},"results":[`,
    ...results,
    `${ends.at(-1) ?? ''}],${rest.slice('{'.length)}`,
  ])
}

/** The ends of open texts: what the search has found in them. */
async function highlightEnds(ctx: Context, request: ListRequest, listed: readonly Listed[]): Promise<string[]> {
  const highlights = await highlightsOf(
    ctx,
    request,
    listed.map(({ row }) => row),
  )
  return listed.map(({ row }) => `,"_highlight":${JSON.stringify(highlights.get(row) ?? {})}}`)
}

/**
 * Pieces of a type, for the `data` of a template: the list that the caller would get from the interface with these
 * parameters (§4.1), in the locale and mode of the request.
 *
 *     data: (ctx) => findPieces(ctx, 'article', { section: 'recipe', perPage: 3 })
 */
export async function findPieces<Site extends SiteDeclaration, Name extends PieceName<ModelOf<Site>>>(
  ctx: SiteContext<Site> | Context,
  type: Name,
  parameters?: QueryOf<Name, ModelOf<Site>>,
): Promise<ContentList<ShownDocumentOf<Name, ModelOf<Site>>>> {
  const known = ctx.site.types.get(type)
  if (known?.family !== 'piece') throw new TypeError(`The site has no piece type ${type}.`)
  const query = queryFromJson({ ...parameters })
  if (Object.keys(query).some((name) => NAMING.has(name) || !takesListParameter(ctx, known, name)))
    checkNames(ctx, listNames(known, ctx.site), { query, body: {} })
  const list = await answerList(ctx, known, query)
  return JSON.parse(list.bytes().toString())
}

/** Parameters that name fields. */
const NAMING = new Set(['project', 'choices', 'counts'])

function facetNames(parameters: ListParameters) {
  const named = (name: 'choices' | 'counts') => namesIn(textParameter(parameters, name))
  const counted = named('counts')
  return { names: new Set([...named('choices'), ...counted]), counted }
}

/** The most comparisons for all names of `choices` and `counts`, each of which looks at the conditions of the list again. */
const MOST_COMPARED = 200

function assertFewFacets({ filters }: ListRequest, parameters: ListParameters): void {
  if (facetNames(parameters).names.size * comparisonsIn(filters.values()) <= MOST_COMPARED) return
  throw invalid('choices and counts look at all conditions again for each name. Name fewer, or use fewer conditions.')
}

/** `choices=a,b` and `counts=a,b`: the values in use of each, with counts where requested. */
async function facets(ctx: Context, { request, byState }: Faceted, parameters: ListParameters): Promise<object> {
  const { names, counted } = facetNames(parameters)
  const choices: Record<string, object[]> = {}
  const counts: Record<string, object[]> = {}
  for (const name of names) {
    const found =
      byState !== null && name === 'state'
        ? await statesOf(ctx, request, byState)
        : await choicesFor(ctx, request, name)
    if (!found) continue
    choices[name] = counted.includes(name) ? found : found.map(({ count: _count, ...choice }) => choice)
    if (counted.includes(name)) counts[name] = found
  }
  return {
    ...(parameters.choices === undefined && parameters.counts === undefined ? {} : { choices }),
    ...(parameters.counts === undefined ? {} : { counts }),
  }
}

/** A list, and where its documents are counted by state. */
interface Faceted {
  readonly request: ListRequest
  readonly byState: View | null
}

/** The states of the documents of a list, whatever states it is filtered by. */
async function statesOf(ctx: Context, request: ListRequest, counted: View): Promise<ChoiceCount[]> {
  const found = await ctx.store.documents.states({ ...matching(request, 'state'), ...counted })
  const counts = new Map(found.map(({ state, count }) => [state, count]))
  return STATES.flatMap((value) => {
    const count = counts.get(value)
    return count === undefined ? [] : [{ value, count }]
  })
}

/** A document of a page as JSON text, or several that nothing is added to. */
type Listed = { readonly text: TextPart; readonly row: number }

/** The documents of a page, and how long the list is. */
interface ListedPage {
  readonly listed: readonly Listed[]
  readonly total: number
}

/** The documents found; where there are none, similar ones. */
async function foundTexts(ctx: Context, given: ListRequest, read: (request: ListRequest) => Promise<ListedPage>) {
  if (given.search === null) return { request: given, ...(await read(given)) }
  const exact = await withFreshSearch(ctx, given)
  const found = await read(exact)
  const alike = found.total === 0 ? await withMistakes(ctx, exact) : null
  if (alike === null) return { request: exact, ...found }
  return { request: alike, ...(await read(alike)) }
}

/** Documents of which nothing is wanted but their ids are not read: all of them are one text, which is sent faster. */
async function listedIds(ctx: Context, request: ListRequest): Promise<ListedPage> {
  const { docIds, total } = await ctx.store.documents.ids(pageQuery(request))
  const { locale, mode } = request.view
  const type = request.type.name
  const texts = docIds.map((docId) => JSON.stringify(identityOf({ id: { docId, locale, mode }, type })))
  return { listed: texts.length === 0 ? [] : [{ row: 0, text: texts.join(',') }], total }
}

/** The pieces of one page of a list, and how long the list is. Only those are read that are not cached. */
async function listedFragments(ctx: Context, request: ListRequest, fragments: Fragments): Promise<ListedPage> {
  const byRow = new Map<number, Fragment>()
  const { rows, read, total } = await ctx.store.documents.page(pageQuery(request), (row) => {
    const cached = fragments.byRow(request.type.name, row)
    if (cached !== undefined) byRow.set(row, cached)
    return cached?.bytes
  })
  for (const [row, fragment] of await fragments.make(read.values(), [...byRow.values()])) byRow.set(row, fragment)
  const listed = rows.flatMap((row) => {
    const fragment = byRow.get(row)
    return fragment === undefined ? [] : [{ row, text: fragment.text }]
  })
  return { listed, total }
}
