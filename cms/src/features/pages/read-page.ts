import { notFound } from '../../base/errors.ts'
import { endedWith } from '../../engine/answers/fragments.ts'
import type { Context } from '../../engine/context.ts'
import { locatedIn } from '../../engine/lists/document-locales.ts'
import { assertMaySome, pageAccess, pageType, visibilityOf } from '../../engine/pages/page-access.ts'
import { assertMay } from '../../engine/permissions.ts'
import { assertIsDraft, draftProblems } from '../../engine/save/draft-problems.ts'
import { compareLocale } from '../../engine/versions/changes-of.ts'
import { flag, rendersAreas, textParameter } from '../../http/requests/read-parameters.ts'
import { Reply, type RouteRequest } from '../../http/requests/route.ts'
import { type Document, stateOf } from '../../model/terms/document.ts'
import type { DocumentId } from '../../model/terms/document-id.ts'
import { pageText, positionOf } from './page-texts.ts'
import { pageForm, requestedPage } from './permit-pages.ts'

/** Answers one page with its ancestors and children as objects (§4.2 GET single). Hidden ones are `notfound`. */
export async function readPage(ctx: Context, { params, query }: RouteRequest): Promise<Reply> {
  const compared = textParameter(query, 'compare')
  const hasProblems = flag(query, 'problems')
  if (compared !== undefined || hasProblems) assertMaySome(ctx, 'editDraft')
  const { id, archived } = requestedPage(ctx, params._id ?? '', query)
  if (hasProblems) assertIsDraft(id)
  const form = { archived, ...pageForm(ctx, query), isRendered: rendersAreas(query) }
  const { open, tag } = await pageText(ctx, id, form)
  const more = {
    ...(compared !== undefined && { _compared: await comparePage(ctx, id, compared) }),
    ...(hasProblems && (await problemsOfPage(ctx, id))),
  }
  return Reply.tagged(endedWith(more, open), tag)
}

async function comparePage(ctx: Context, id: DocumentId, compared: string) {
  return compareLocale(ctx, await editablePage(ctx, id), compared)
}

async function problemsOfPage(ctx: Context, id: DocumentId) {
  await editablePage(ctx, id)
  return draftProblems(ctx, id)
}

async function editablePage(ctx: Context, id: DocumentId): Promise<Document> {
  const document = await ctx.store.documents.get(id)
  const type = document && pageType(ctx, document.type)
  if (!type) throw notFound()
  assertMay(ctx.actor, 'editDraft', type)
  return document
}

/** The locales that a page is in (§4.5), for those who may read it in the requested one. */
export async function readPageLocales(ctx: Context, { params, query }: RouteRequest): Promise<object> {
  const { id, archived } = requestedPage(ctx, params._id ?? '', query)
  await positionOf(ctx, id)
  const document = await ctx.store.documents.get(id)
  const isArchived = document !== null && stateOf(document).isArchived
  const isSeen = document !== null && pageAccess(ctx, visibilityOf(document)) !== null
  if (!isSeen || (archived !== 'any' && archived !== isArchived)) throw notFound()
  return locatedIn(ctx, id)
}
