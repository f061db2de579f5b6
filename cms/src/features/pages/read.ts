import { notFound } from '../../base/errors.ts'
import type { Context } from '../../engine/context.ts'
import { etagOf } from '../../engine/copies.ts'
import { isKnown } from '../../engine/permissions.ts'
import { archivedParameter } from '../../http/input.ts'
import { Reply, type RouteRequest } from '../../http/route.ts'
import type { DocumentId } from '../../model/document.ts'
import type { Page, PagesQuery } from '../../store/store.ts'
import { mayFindArchived, pagesVisibility } from './access.ts'
import { locatePage } from './locate.ts'
import { presentPages, showsName } from './present.ts'

/** One page with its ancestors and children as objects (§4.2 GET single). Hidden ones are `notfound`. */
export async function readPage(ctx: Context, { params, query }: RouteRequest): Promise<Reply> {
  const id = locatePage(ctx, params._id ?? '')
  const archived = mayFindArchived(ctx) ? archivedParameter(query) : false
  return pageReply(ctx, id, archived)
}

/** A page that was just written, as its writer sees it. */
export function presentWrittenPage(ctx: Context, id: DocumentId): Promise<Reply> {
  return pageReply(ctx, id, 'any')
}

async function pageReply(ctx: Context, id: DocumentId, archived: boolean | 'any'): Promise<Reply> {
  const visibility = pagesVisibility(ctx, id.mode)
  const place = await ctx.store.tree.place(id.locale, id.docId)
  if (!place) throw notFound()
  const base: PagesQuery = { locale: id.locale, mode: id.mode, archived: 'any', visibility }
  const line = await ctx.store.tree.pages({ ...base, docIds: place.path.split('/') })
  const page = line.find(({ document }) => document.id.docId === id.docId)
  const isArchived = page?.document.fields.archived === true
  if (!page || (archived !== 'any' && archived !== isArchived)) throw notFound()
  const etag = etagOf(page.document)
  const below = await ctx.store.tree.pages({ ...base, archived: isArchived ? 'any' : false, parents: [id.docId] })
  const children = below.filter(({ document }) => document.fields.orphan !== true)
  const shown = await presentPages(ctx, [...line, ...children], id.locale)
  const answer = shown.get(id.docId)
  if (!answer) throw notFound()
  const objects = (some: readonly Page[]) =>
    some.map(({ place }) => shown.get(place.docId)).filter((one) => one !== undefined)
  if (showsName(ctx, page, '_ancestors')) answer._ancestors = objects(line.filter((one) => one !== page))
  if (showsName(ctx, page, '_children')) {
    // As in the tree: pages of the last level that is shown have no children.
    answer._children = objects(children).map((child) => Object.assign(child, { _children: [] }))
  }
  return new Reply(answer, isKnown(ctx.actor) ? { ETag: etag } : {})
}
