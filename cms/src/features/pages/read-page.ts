import { notFound } from '../../base/errors.ts'
import { endedWith } from '../../engine/answers/fragments.ts'
import type { Context } from '../../engine/context.ts'
import { locatedIn } from '../../engine/lists/document-locales.ts'
import { locatePage } from '../../engine/pages/locate-page.ts'
import {
  assertMaySome,
  mayFindArchived,
  pageAccess,
  pagesVisibility,
  pageType,
  visibilityOf,
} from '../../engine/pages/page-access.ts'
import { assertMay } from '../../engine/permissions.ts'
import { readProjection } from '../../engine/presentation/projection.ts'
import { compareLocale } from '../../engine/versions/compare.ts'
import { archivedParameter, rendersAreas, textParameter } from '../../http/requests/read-parameters.ts'
import { type QueryValues, Reply, type RouteRequest } from '../../http/requests/route.ts'
import type { DocumentId } from '../../model/terms/document.ts'
import { pageText, positionOf } from './page-texts.ts'

/** One page with its ancestors and children as objects (§4.2 GET single). Hidden ones are `notfound`. */
export async function readPage(ctx: Context, { params, query }: RouteRequest): Promise<Reply> {
  const compared = textParameter(query, 'compare')
  if (compared !== undefined) assertMaySome(ctx, 'editDraft')
  const { id, archived } = requestedPage(ctx, params._id ?? '', query)
  const form = { archived, project: readProjection(query.project), isRendered: rendersAreas(query) }
  const { open, tag } = await pageText(ctx, id, form)
  const more = compared === undefined ? {} : { _compared: await comparePage(ctx, id, compared) }
  return Reply.tagged(endedWith(more, open), tag)
}

async function comparePage(ctx: Context, id: DocumentId, compared: string) {
  const document = await ctx.store.documents.get(id)
  const type = document && pageType(ctx, document.type)
  if (!type) throw notFound()
  assertMay(ctx.actor, 'editDraft', type)
  return compareLocale(ctx, document, compared)
}

/** The locales that a page is in (§4.5), for those who may read it in the requested one. */
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
