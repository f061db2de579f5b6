import { notFound } from '../../base/errors.ts'
import type { Context } from '../../engine/context.ts'
import { mayFindArchived, pagesVisibility } from '../../engine/pages/access.ts'
import { readProjection } from '../../engine/presentation/projection.ts'
import { renderAreas } from '../../engine/rendering/render-areas.ts'
import { archivedParameter, flag } from '../../http/input.ts'
import type { Reply, RouteRequest } from '../../http/route.ts'
import { locatePage } from './locate.ts'
import { pageReply } from './reply.ts'

/** One page with its ancestors and children as objects (§4.2 GET single). Hidden ones are `notfound`. */
export async function readPage(ctx: Context, { params, query }: RouteRequest): Promise<Reply> {
  const id = locatePage(ctx, params._id ?? '')
  const archived = mayFindArchived(ctx) ? archivedParameter(query) : false
  const project = readProjection(query.project)
  pagesVisibility(ctx, id.mode)
  const position = await ctx.store.tree.position(id.locale, id.docId)
  if (position === null) throw notFound()
  const isDrawn = flag(query, 'render-areas')
  const reply = await pageReply(ctx, id, position, { archived, project, isDrawn })
  if (isDrawn) await renderAreas(ctx, [reply.body])
  return reply
}
