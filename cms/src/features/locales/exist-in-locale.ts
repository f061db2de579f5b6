import { invalid } from '../../base/errors.ts'
import type { Context } from '../../engine/context.ts'
import { parseGivenId } from '../../engine/pages/parked.ts'
import { may, readAccess } from '../../engine/permissions.ts'
import { DocumentId, type GivenId, isMode, type Mode } from '../../model/terms/document.ts'
import type { CopyOutline } from '../../store/contract/store.ts'
import { localeNamed } from './locale-parameters.ts'

/** The documents that exist, thrice in one order: as they were named, in the other locale, and in all locales. */
export interface Existing {
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
function idsIn({ site }: Context, ids: unknown): ReadonlyMap<string, GivenId> {
  if (!Array.isArray(ids) || !ids.every((id) => typeof id === 'string')) throw invalid('"ids" must be a list of ids.')
  if (ids.length > site.limits.ids) throw invalid(`"ids" may hold at most ${site.limits.ids} ids.`)
  const given = ids
    .map(parseGivenId)
    .filter((id) => id !== null)
    .filter(({ locale }) => locale === undefined || site.locales.has(locale))
  return new Map(given.map((id) => [id.docId, id]))
}

function isVisible({ site, actor }: Context, { type: name, visibility }: CopyOutline, mode: Mode): boolean {
  const type = site.types.get(name)
  const access = type && readAccess(actor, type)
  if (!access || (mode === 'draft' && !may(actor, 'readDraft', type))) return false
  return access.visibility === null || access.visibility === visibility
}
