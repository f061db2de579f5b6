import { notFound } from '../../base/errors.ts'
import type { Context } from '../../engine/context.ts'
import { locatedIn } from '../../engine/operations/document-locales.ts'
import {
  assertMaySome,
  mayFindArchived,
  pageAccess,
  pagesVisibility,
  pageType,
  visibilityOf,
} from '../../engine/pages/page-access.ts'
import { tellsSchedules } from '../../engine/pages/present-pages.ts'
import { assertMay } from '../../engine/permissions.ts'
import { readProjection } from '../../engine/presentation/projection.ts'
import { renderAreas } from '../../engine/rendering/open-scene.ts'
import { compareLocale } from '../../engine/versions/compare.ts'
import { archivedParameter, rendersAreas, textParameter } from '../../http/requests/read-parameters.ts'
import type { QueryValues, Reply, RouteRequest } from '../../http/requests/route.ts'
import type { DocumentId } from '../../model/terms/document.ts'
import { locatePage } from './locate-page.ts'
import { pageReply, pageText, positionOf } from './reply.ts'

/** One page with its ancestors and children as objects (§4.2 GET single). Hidden ones are `notfound`. */
export async function readPage(ctx: Context, { params, query }: RouteRequest): Promise<Reply> {
  const compared = textParameter(query, 'compare')
  if (compared !== undefined) assertMaySome(ctx, 'editDraft')
  const { id, archived } = requestedPage(ctx, params._id ?? '', query)
  const project = readProjection(query.project)
  const isRendered = rendersAreas(query)
  const isCached = !isRendered && compared === undefined && !tellsSchedules(ctx, id.mode)
  if (isCached) return pageText(ctx, id, { archived, project })
  const position = await positionOf(ctx, id)
  const reply = await pageReply(ctx, id, position, { archived, project, isRendered })
  if (isRendered) await renderAreas(ctx, [reply.body])
  if (compared === undefined) return reply
  return reply.with({ _compared: await comparePage(ctx, id, compared) })
}

async function comparePage(ctx: Context, id: DocumentId, compared: string) {
  const document = await ctx.store.documents.get(id)
  const type = document && pageType(ctx, document.type)
  if (!type) throw notFound()
  assertMay(ctx.actor, 'editDraft', type)
  return compareLocale(ctx, document, compared)
}

/** The locales that a page is in (§4.5), for those who may read it in the one that is asked. */
export async function readPageLocales(ctx: Context, { params, query }: RouteRequest): Promise<object> {
  const { id, archived } = requestedPage(ctx, params._id ?? '', query)
  await positionOf(ctx, id)
  const document = await ctx.store.documents.get(id)
  const isArchived = document?.fields.archived === true
  const isSeen = document !== null && pageAccess(ctx, visibilityOf(document)) !== null
  if (!isSeen || (archived !== 'any' && archived !== isArchived)) throw notFound()
  return locatedIn(ctx, id)
}

function requestedPage(ctx: Context, idText: string, query: QueryValues) {
  const id = locatePage(ctx, idText)
  const archived = mayFindArchived(ctx) ? archivedParameter(query) : false
  pagesVisibility(ctx, id.mode)
  return { id, archived }
}
