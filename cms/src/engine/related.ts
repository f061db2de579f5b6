import type { Locale, Mode, Visibility } from '../model/document.ts'
import type { Field } from '../model/fields/field-type.ts'
import { hasRole } from '../model/roles.ts'
import type { Type } from '../model/types.ts'
import type { View } from '../store/store.ts'
import type { Context } from './context.ts'
import { scopeOf } from './locate.ts'
import { isKnown, type ReadAccess, readAccess, roleOf } from './permissions.ts'

/**
 * Where the documents are that lead to others: those are looked for in the same locale and mode. Types without locales
 * have no place of their own; from them the request's counts.
 */
export interface Place {
  readonly locale: Locale
  readonly mode: Mode
}

/** How a caller sees the documents that a relationship leads to. */
export interface RelatedAccess {
  readonly type: Type
  readonly view: View
  /** `minimal`: `_id`, `title`, `slug`, `_url` only (decisions 2, Relationships). */
  readonly fields: ReadAccess['fields'] | 'minimal'
}

/** The type a relationship leads to, in either direction; null for other fields. */
export function targetOf(field: Field): string | null {
  if (field.type.relation === undefined) return null
  // `as`: both relationship types declare `withType`; the compiler has replaced its prefix.
  return (field.options as { readonly withType: string }).withType
}

/**
 * What the caller may see of documents of the type when a field that the caller sees leads to them; null: nothing.
 * Strangers see `_id`, `title` and `slug` of types that are not public themselves, but nothing of restricted ones; who
 * may not read drafts sees what is published.
 */
export function relatedAccess(ctx: Context, typeName: string, from: Place): RelatedAccess | null {
  const type = ctx.site.types.get(typeName)
  if (!type) return null
  const { locale, mode } = from.locale === '' ? ctx : from
  const scope = scopeOf(type, locale, hasRole(roleOf(ctx.actor), 'contributor') ? mode : 'published')
  const view = (visibility: Visibility | null): View => ({ ...scope, archived: false, visibility })
  const access = readAccess(ctx.actor, type)
  if (access) return { type, view: view(access.visibility), fields: access.fields }
  if (type.viewRole && !hasRole(roleOf(ctx.actor), type.viewRole)) return null
  return { type, view: view(isKnown(ctx.actor) ? null : 'public'), fields: 'minimal' }
}
