import { invalid, notFound } from '../base/errors.ts'
import type { Type } from '../model/declared/types.ts'
import { DocumentId, type PartialId } from '../model/terms/document-id.ts'
import type { Context } from './context.ts'
import { draftsOnly, seesLocale } from './permissions.ts'

/**
 * Converts any accepted id of a document of this type to that of one copy (§2.10): the query overrides the id, and the
 * id overrides the rest of the request. Throws `notfound` for what cannot be an id.
 */
export function locate(ctx: Context, type: Type, text: string): DocumentId {
  const given = DocumentId.parse(text)
  if (given === null) throw notFound()
  return resolveId(ctx, type, given)
}

/** The ids in a list of a body, each once. Throws `invalid`, also for more than the site's limit. */
export function readIds({ site }: Context, ids: unknown): string[] {
  const most = site.limits.ids
  if (!Array.isArray(ids) || !ids.every((id) => typeof id === 'string')) throw invalid('_ids must be a list of ids.')
  if (ids.length > most) throw invalid(`_ids takes at most ${most} ids.`)
  return [...new Set(ids)]
}

/** The part of a type that decides which copies there are. */
type Localized = Pick<Type, 'localized'>

/** Like `locate`, for an id that has been parsed. */
export function resolveId(ctx: Context, type: Localized, given: PartialId): DocumentId {
  if (!type.localized) return { docId: given.docId, locale: '', mode: 'published' }
  const locale = ctx.explicit.locale ?? given.locale ?? ctx.locale
  if (!seesLocale(ctx, locale)) throw notFound()
  return { docId: given.docId, locale, mode: ctx.explicit.mode ?? given.mode ?? ctx.mode }
}

/** Like `locate`, for a write: the draft, for callers whose writes go to drafts. */
export function locateForWrite(ctx: Context, type: Type, text: string): DocumentId {
  return copyToWrite(ctx, type, locate(ctx, type, text))
}

/** The copy that this caller's write goes to. */
export function copyToWrite(ctx: Context, type: Localized, id: DocumentId): DocumentId {
  return draftsOnly(ctx.actor) && type.localized ? { ...id, mode: 'draft' } : id
}
