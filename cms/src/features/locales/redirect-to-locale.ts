import { encodedStep } from '../../base/build-url.ts'
import { invalid, notFound } from '../../base/errors.ts'
import { assertMayRead } from '../../engine/access/accounts.ts'
import type { Context } from '../../engine/context.ts'
import { pagesVisibility } from '../../engine/pages/page-access.ts'
import { parseGivenId } from '../../engine/pages/parked.ts'
import { assertMay, readAccess, seesLocale } from '../../engine/permissions.ts'
import { Reply, type RouteRequest } from '../../http/requests/route.ts'
import type { Type } from '../../model/declared/types.ts'
import type { Mode } from '../../model/terms/document.ts'
import { addressIn, slugOfPage } from './addresses.ts'

/**
 * Redirects to the page of a document in another locale (§4.5). `notfound` where it is not there for the caller,
 * `invalid` where it has no page. `type` is null for pages.
 */
export async function redirectToLocale(ctx: Context, type: Type | null, request: RouteRequest): Promise<Reply> {
  const { _id = '', toLocale = '' } = request.params
  const given = parseGivenId(_id)
  if (given === null || !seesLocale(ctx, toLocale)) throw notFound()
  const mode = ctx.explicit.mode ?? given.mode ?? ctx.mode
  assertReads(ctx, type, mode)
  const [copy] = await ctx.store.documents.outlines([given.docId], { mode, locale: toLocale })
  const found = copy && ctx.site.types.get(copy.type)
  const access = found && readAccess(ctx.actor, found)
  if (!access || (type === null ? found.family !== 'page' : found !== type)) throw notFound()
  if (access.visibility !== null && access.visibility !== copy.visibility) throw notFound()
  const slug = await slugOfPage(ctx, found, copy, { locale: toLocale, mode })
  if (slug === null) throw invalid('This document has no page of its own.')
  // Slugs may hold letters that no header can.
  const path = slug.split('/').map(encodedStep).join('/')
  return new Reply({}, { Location: addressIn(ctx, request, toLocale, path).url }, 302)
}

/** Refuses what the caller can never read of such documents, before one is looked up. */
function assertReads(ctx: Context, type: Type | null, mode: Mode): void {
  if (type === null) return void pagesVisibility(ctx, mode)
  assertMayRead(ctx, type)
  if (type.localized && mode === 'draft') assertMay(ctx.actor, 'readDraft', type)
  if (readAccess(ctx.actor, type) === null) throw notFound()
}
