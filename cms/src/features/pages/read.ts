import { notFound } from '../../base/errors.ts'
import type { Context } from '../../engine/context.ts'
import { etagOf } from '../../engine/documents/copies.ts'
import { isAnonymous } from '../../engine/permissions.ts'
import { archivedParameter } from '../../http/input.ts'
import { Reply, type RouteRequest } from '../../http/route.ts'
import type { DocumentId } from '../../model/document.ts'
import type { Page, PagesQuery, TreePosition } from '../../store/store.ts'
import { lookOf, mayFindArchived, pagesVisibility } from './access.ts'
import { locatePage } from './locate.ts'
import { formerUrls, presentPages, showsName } from './present.ts'

/** One page with its ancestors and children as objects (§4.2 GET single). Hidden ones are `notfound`. */
export async function readPage(ctx: Context, { params, query }: RouteRequest): Promise<Reply> {
  const id = locatePage(ctx, params._id ?? '')
  const archived = mayFindArchived(ctx) ? archivedParameter(query) : false
  pagesVisibility(ctx, id.mode)
  const position = await ctx.store.tree.position(id.locale, id.docId)
  if (position === null) throw notFound()
  return pageReply(ctx, id, position, archived)
}

/** A page that was just written, as its writer sees it. */
export function presentWrittenPage(ctx: Context, id: DocumentId, position: TreePosition): Promise<Reply> {
  return pageReply(ctx, id, position, 'any')
}

async function pageReply(
  ctx: Context,
  id: DocumentId,
  position: TreePosition,
  archived: boolean | 'any',
): Promise<Reply> {
  const visibility = pagesVisibility(ctx, id.mode)
  const path = position.path.split('/')
  const { locale, mode, docId } = id
  const query: PagesQuery = { locale, mode, archived: 'any', visibility, docIds: path, childrenOf: docId }
  const found = await ctx.store.tree.pages(query)
  const page = found.find(({ document }) => document.id.docId === docId)
  const isArchived = page?.document.fields.archived === true
  if (!page || (archived !== 'any' && archived !== isArchived)) throw notFound()
  const etag = etagOf(page.document)
  const look = lookOf(page.document)
  const line = found.filter(({ position }) => position.parent !== docId)
  // Of the children of home the archive alone is archived.
  const children = found.filter(({ document: { fields }, position }) => {
    return position.parent === docId && fields.orphan !== true && (isArchived || fields.archived !== true)
  })
  const related = [...line, ...children]
  const shown = await presentPages(
    ctx,
    related,
    await formerUrls(
      ctx,
      locale,
      related.map(({ document }) => ({ ...lookOf(document), docId: document.id.docId })),
    ),
  )
  const answer = shown.get(id.docId)
  if (!answer) throw notFound()
  const objects = (some: readonly Page[]) =>
    some.map(({ position }) => shown.get(position.docId)).filter((one) => one !== undefined)
  if (showsName(ctx, look, '_ancestors')) answer._ancestors = objects(line.filter((one) => one !== page))
  if (showsName(ctx, look, '_children')) {
    // As in the tree: pages of the last level that is shown have no children.
    answer._children = objects(children).map((child) => Object.assign(child, { _children: [] }))
  }
  return new Reply(answer, isAnonymous(ctx.actor) ? {} : { ETag: etag })
}
