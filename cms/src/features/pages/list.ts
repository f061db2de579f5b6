import { notFound } from '../../base/errors.ts'
import type { JsonObject } from '../../base/json.ts'
import type { Context } from '../../engine/context.ts'
import { archivedParameter, flag, textParameter } from '../../http/input.ts'
import type { QueryValues } from '../../http/route.ts'
import { type DocId, DocumentId } from '../../model/document.ts'
import type { Page, PagesQuery } from '../../store/store.ts'
import { mayFindArchived, pageAccess, pagesVisibility } from './access.ts'
import { archiveId, homeId } from './parked.ts'
import { presentPages, showsName } from './present.ts'

/** What a tree request asks for (§4.2 GET list). */
interface TreeRequest {
  readonly all: boolean
  readonly flat: boolean
  readonly hasChildren: boolean
  readonly rootId: DocId
  readonly query: PagesQuery
}

/**
 * The home page with its top-level pages; with `all=1` the whole tree, with `flat=1` as `{ results }`, depth first. A
 * constant number of statements whatever the size of the tree.
 */
export async function listPages(ctx: Context, query: QueryValues): Promise<object> {
  const request = readTreeRequest(ctx, query)
  const pages = await inTree(ctx, request)
  if (request.flat) return { results: await flatTree(ctx, request, pages) }
  const nested = await nestedTree(ctx, request, pages)
  if (!nested) throw notFound()
  return nested
}

function readTreeRequest(ctx: Context, query: QueryValues): TreeRequest {
  const { locale, mode } = ctx
  const visibility = pagesVisibility(ctx, mode)
  const all = flag(query, 'all')
  const archived = mayFindArchived(ctx) ? archivedParameter(query) : false
  return {
    all,
    flat: flag(query, 'flat'),
    hasChildren: !['false', '0'].includes(textParameter(query, 'children') ?? ''),
    rootId: archived === true ? archiveId : homeId,
    query: { locale, mode, archived, visibility },
  }
}

/** The pages to show, by level and rank: orphans, and what lies below them, only with `all`; nothing below hidden pages. */
async function inTree(ctx: Context, { rootId, query, ...request }: TreeRequest): Promise<Page[]> {
  const pages = await ctx.store.tree.pages({ ...query, ...(await reach(ctx, { rootId, query, ...request })) })
  const shown = new Set<DocId>()
  return pages.filter(({ document, place }) => {
    const isReached = shown.has(place.parent) && (request.all || document.fields.orphan !== true)
    const isShown = (place.docId === rootId || isReached) && pageAccess(ctx, document) !== null
    if (isShown) shown.add(place.docId)
    return isShown
  })
}

/** Where to look: the whole tree is a range of paths; top-level pages are the children of one page. */
async function reach(
  ctx: Context,
  { rootId, query, all, flat, hasChildren }: TreeRequest,
): Promise<Partial<PagesQuery>> {
  if (!hasChildren && !flat) return { docIds: [rootId] }
  if (!all) return { docIds: [rootId], childrenOf: rootId }
  const root = await ctx.store.tree.place(query.locale, rootId)
  if (!root) throw notFound()
  return { below: root.path }
}

async function nestedTree(ctx: Context, request: TreeRequest, pages: readonly Page[]): Promise<JsonObject | undefined> {
  const shown = await presentPages(ctx, pages, request.query.locale)
  for (const page of pages) {
    const answer = shown.get(page.place.docId)
    if (!answer) continue
    if (request.hasChildren && showsName(ctx, page, '_children')) answer._children = []
    const siblings = shown.get(page.place.parent)?._children
    if (page.place.docId !== request.rootId && Array.isArray(siblings)) siblings.push(answer)
    else if (showsName(ctx, page, '_ancestors')) answer._ancestors = []
  }
  return shown.get(request.rootId)
}

/** Depth first; `_ancestors` and `_children` as ids (decisions 4.2). */
async function flatTree(ctx: Context, request: TreeRequest, pages: readonly Page[]): Promise<JsonObject[]> {
  const { locale, mode } = request.query
  const idOf = (docId: DocId) => DocumentId.format({ docId, locale, mode })
  const children = Map.groupBy(pages, ({ place }) => place.parent)
  const shown = await presentPages(ctx, pages, locale)
  const results: JsonObject[] = []
  const open = pages.filter(({ place }) => place.docId === request.rootId)
  for (let page = open.pop(); page; page = open.pop()) {
    const { docId, path } = page.place
    const below = children.get(docId) ?? []
    const answer = shown.get(docId)
    if (answer) results.push(answer)
    if (answer && showsName(ctx, page, '_ancestors')) answer._ancestors = path.split('/').slice(0, -1).map(idOf)
    if (answer && request.hasChildren && showsName(ctx, page, '_children')) {
      answer._children = below.map((child) => idOf(child.place.docId))
    }
    open.push(...below.toReversed())
  }
  return results
}
