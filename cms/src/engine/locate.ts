import { notFound } from '../base/errors.ts'
import type { Type } from '../model/declared/types.ts'
import { DocumentId, type PartialId } from '../model/terms/document.ts'
import type { Context } from './context.ts'
import { draftsOnly, seesLocale } from './permissions.ts'

/**
 * Any accepted id of a document of this type → the copy that is meant (§2.10): the query overrides the id, and
 * the id overrides the rest of the request. Throws `notfound` for what cannot be an id.
 */
export function locate(ctx: Context, type: Type, text: string): DocumentId {
  const given = DocumentId.parse(text)
  if (given === null) throw notFound()
  return resolveId(ctx, type, given)
}

/** The part of a type that decides which copies there are. */
type Localized = Pick<Type, 'localized'>

/** As `locate`, for an id that has been parsed. */
export function resolveId(ctx: Context, type: Localized, given: PartialId): DocumentId {
  if (!type.localized) return { docId: given.docId, locale: '', mode: 'published' }
  const locale = ctx.explicit.locale ?? given.locale ?? ctx.locale
  if (!seesLocale(ctx, locale)) throw notFound()
  return { docId: given.docId, locale, mode: ctx.explicit.mode ?? given.mode ?? ctx.mode }
}

/** As `locate`, for a write: for callers whose writes go to drafts, the draft. */
export function locateForWrite(ctx: Context, type: Type, text: string): DocumentId {
  return copyToWrite(ctx, type, locate(ctx, type, text))
}

/** The copy that this caller's write goes to. */
export function copyToWrite(ctx: Context, type: Localized, id: DocumentId): DocumentId {
  return draftsOnly(ctx.actor) && type.localized ? { ...id, mode: 'draft' } : id
}
