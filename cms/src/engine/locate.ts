import { notFound } from '../base/errors.ts'
import { DocumentId, type GivenId, type Locale, type Mode } from '../model/document.ts'
import type { Type } from '../model/types.ts'
import type { Scope } from '../store/store.ts'
import type { Context } from './context.ts'
import { draftsOnly, isKnown } from './permissions.ts'

/**
 * Any accepted id of a document of this type → which copy is meant (§4, decisions 2): the query outweighs the id, the
 * id outweighs the request. Throws `notfound` for what cannot be an id.
 */
export function locate(ctx: Context, type: Type, text: string): DocumentId {
  const given = DocumentId.parse(text)
  if (given === null) throw notFound()
  return place(ctx, type, given)
}

/** What of a type decides which copies there are. */
type Localized = Pick<Type, 'localized'>

/** As `locate`, for an id that is read already. */
export function place(ctx: Context, type: Localized, given: GivenId): DocumentId {
  if (!type.localized) return { docId: given.docId, locale: '', mode: 'published' }
  const locale = ctx.asked.locale ?? given.locale ?? ctx.locale
  assertLocale(ctx, locale)
  return { docId: given.docId, locale, mode: ctx.asked.mode ?? given.mode ?? ctx.mode }
}

/** As `locate`, for a write: a caller who only writes drafts means the draft. */
export function locateForWrite(ctx: Context, type: Type, text: string): DocumentId {
  return asWritten(ctx, type, locate(ctx, type, text))
}

/** The copy that this caller's write is meant for. */
export function asWritten(ctx: Context, type: Localized, id: DocumentId): DocumentId {
  return draftsOnly(ctx.actor) && type.localized ? { ...id, mode: 'draft' } : id
}

/** The aposDocId in any accepted form of an id; null when it is none. */
export function docIdOf(text: unknown): string | null {
  return typeof text === 'string' ? (DocumentId.parse(text)?.docId ?? null) : null
}

/** Where documents of a type are, for a locale and mode: types without locales have one place only. */
export function scopeOf(type: Type, locale: Locale, mode: Mode): Scope {
  return type.localized ? { type: type.name, locale, mode } : { type: type.name, locale: '', mode: 'published' }
}

function assertLocale(ctx: Context, locale: Locale): void {
  if (!seesLocale(ctx, locale)) throw notFound()
}

/** True for the site's locales, private ones only for callers who are known (decisions 4.5). */
export function seesLocale(ctx: Context, locale: Locale): boolean {
  const options = ctx.site.locales.get(locale)
  return options !== undefined && (!options.private || isKnown(ctx.actor) || ctx.actor.kind === 'frontend')
}
