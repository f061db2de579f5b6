import { invalid, notFound } from '../../base/errors.ts'
import { own } from '../../base/json.ts'
import type { Context } from '../../engine/context.ts'
import { type ProposedSlug, proposeSlug, slugAboveNew, slugAbovePage } from '../../engine/operations/propose-slug.ts'
import { assertSees, pageType, pageTypes } from '../../engine/pages/page-access.ts'
import { readTarget } from '../../engine/pages/position.ts'
import { assertMay, editAction } from '../../engine/permissions.ts'
import type { RouteRequest } from '../../http/requests/route.ts'
import { positionOf } from './page-texts.ts'
import { copyToEdit, copyToInsert } from './permit-pages.ts'

type Body = RouteRequest['body']

/** The slug that the service would save for a page, which `_id` names, or for a new one at a position (§2.12). */
export function proposePageSlug(ctx: Context, { body }: Pick<RouteRequest, 'body'>): Promise<ProposedSlug> {
  const named = own(body, '_id') ?? null
  return named === null ? ofNewPage(ctx, body) : ofPage(ctx, String(named), body)
}

async function ofNewPage(ctx: Context, body: Body): Promise<ProposedSlug> {
  const { id } = copyToInsert(ctx)
  const target = readTarget(body)
  if (target === null) throw invalid('Send _id, the page; or _targetId and _position, where a new one is to stand.')
  const [type] = pageTypes(ctx.site)
  if (type === undefined) throw notFound()
  const parentSlug = await slugAboveNew(ctx, id, target)
  return proposeSlug(ctx, { id, type, copies: { draft: null, published: null }, position: null, parentSlug }, body)
}

async function ofPage(ctx: Context, named: string, body: Body): Promise<ProposedSlug> {
  const id = copyToEdit(ctx, named)
  const position = await positionOf(ctx, id)
  const copies = await ctx.store.documents.copies(id.docId, id.locale)
  const type = pageType(ctx, copies[id.mode]?.type ?? '')
  if (type === null) throw notFound()
  assertSees(ctx, type)
  assertMay(ctx.actor, editAction(id.mode), type)
  return proposeSlug(ctx, { id, type, copies, position, parentSlug: await slugAbovePage(ctx, id, position) }, body)
}
