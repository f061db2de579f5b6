import { encodedStep } from '../../base/build-url.ts'
import { invalid, notFound } from '../../base/errors.ts'
import { assertMayRead } from '../../engine/access/accounts.ts'
import type { Context } from '../../engine/context.ts'
import { pagesVisibility } from '../../engine/pages/page-access.ts'
import { parsePartialId } from '../../engine/pages/parked.ts'
import { assertMay, seesLocale } from '../../engine/permissions.ts'
import { viewOf, viewsOf } from '../../engine/view.ts'
import { Reply, type RouteRequest } from '../../http/requests/route.ts'
import type { Type } from '../../model/declared/types.ts'
import { DocumentId, isMode, type Mode, type PartialId } from '../../model/terms/document.ts'
import type { CopyOutline } from '../../store/contract/store.ts'
import { addressIn, slugOfPage } from './addresses.ts'
import { localeNamed } from './locale-parameters.ts'

/**
 * Redirects to the page of a document in another locale (§4.5). `notfound` where it is not there for the caller,
 * `invalid` where it has no page. `type` is null for pages.
 */
export async function redirectToLocale(ctx: Context, type: Type | null, request: RouteRequest): Promise<Reply> {
  const { _id = '', toLocale = '' } = request.params
  const given = parsePartialId(_id)
  if (given === null || !seesLocale(ctx, toLocale)) throw notFound()
  const mode = ctx.explicit.mode ?? given.mode ?? ctx.mode
  assertReads(ctx, type, mode)
  const [copy] = await ctx.store.documents.outlines([given.docId], { mode, locale: toLocale })
  const found = copy && ctx.site.types.get(copy.type)
  const isOfType = type === null ? found?.family === 'page' : found === type
  if (!found || !isOfType || !viewOf(ctx.actor, found)?.includes(copy.visibility)) throw notFound()
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
  if (viewOf(ctx.actor, type) === null) throw notFound()
}

/** The documents that exist, thrice in one order: as they were named, in the other locale, and in all locales. */
interface Existing {
  readonly originalLocaleIds: readonly string[]
  readonly newLocaleIds: readonly string[]
  readonly aposDocIds: readonly string[]
}

/** Which documents another locale has, in a mode, of those that the caller may see there (§4.5). One statement. */
export async function existInLocale(ctx: Context, body: { readonly [name: string]: unknown }): Promise<Existing> {
  const ids = idsIn(ctx, body.ids)
  const locale = localeNamed(ctx, body.locale)
  const { mode } = body
  if (!isMode(mode)) throw invalid('"mode" must be "draft" or "published".')
  const outlines = await ctx.store.documents.outlines([...ids.keys()], { mode, locale })
  const copies = new Map(outlines.filter((copy) => isVisible(ctx, copy, mode)).map((copy) => [copy.id.docId, copy.id]))
  const found = [...ids.values()].flatMap((given) => {
    const id = copies.get(given.docId)
    return id === undefined ? [] : [{ given: { locale: ctx.locale, mode, ...given }, id }]
  })
  return {
    originalLocaleIds: found.map(({ given, id }) => DocumentId.format(id.locale === '' ? id : given)),
    newLocaleIds: found.map(({ id }) => DocumentId.format(id)),
    aposDocIds: found.map(({ id }) => id.docId),
  }
}

/** The ids that can be of documents, each document once. */
function idsIn({ site }: Context, ids: unknown): ReadonlyMap<string, PartialId> {
  if (!Array.isArray(ids) || !ids.every((id) => typeof id === 'string')) throw invalid('"ids" must be a list of ids.')
  if (ids.length > site.limits.ids) throw invalid(`"ids" may hold at most ${site.limits.ids} ids.`)
  const given = ids
    .map(parsePartialId)
    .filter((id) => id !== null)
    .filter(({ locale }) => locale === undefined || site.locales.has(locale))
  return new Map(given.map((id) => [id.docId, id]))
}

function isVisible(ctx: Context, { type, visibility }: CopyOutline, mode: Mode): boolean {
  const view = viewsOf(ctx).of(type)
  return view?.includes(visibility) === true && (mode === 'published' || view.rights.has('readDraft'))
}
