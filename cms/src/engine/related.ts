import type { JsonObject } from '../base/json.ts'
import type { Type } from '../model/declared/types.ts'
import type { Field } from '../model/field-type/field-type.ts'
import { isNothing } from '../model/field-type/outside.ts'
import type { DocId, Locale, Mode, Visibility } from '../model/terms/document.ts'
import { hasRole } from '../model/terms/roles.ts'
import type { Scope, View } from '../store/contract/store.ts'
import { isAnonymous, type ReadAccess, readAccess, roleOf, type Viewer, visibleField } from './permissions.ts'

/**
 * The locale and mode of a document that refers to others: those are looked up in the same ones. Types without locales
 * have an empty locale; then those of the request count.
 */
export interface CopyScope {
  readonly locale: Locale
  readonly mode: Mode
}

/** What is shown of related documents of types that are not public. */
export const MINIMAL: ReadonlySet<string> = new Set(['title', 'slug', '_url'])

/** How a caller sees the documents that a relationship leads to. */
export interface RelatedAccess {
  readonly type: Type
  readonly view: View
  /** `minimal`: `_id`, `title`, `slug`, `_url` only (§2.15). */
  readonly fields: ReadAccess['fields'] | 'minimal'
}

/** The documents of a type in a locale and mode; types without locales have one list only. */
export function scopeOf(type: Type, locale: Locale, mode: Mode): Scope {
  return type.localized ? { type: type.name, locale, mode } : { type: type.name, locale: '', mode: 'published' }
}

/**
 * What the caller may see of documents of a type when a field that the caller sees leads to them; null for nothing.
 * Of types that are not public, anonymous callers see `_id`, `title` and `slug`, unless the type needs a role. Callers
 * who may not read drafts get the published copies.
 */
export function relatedAccess(ctx: Viewer & CopyScope, typeName: string, from: CopyScope): RelatedAccess | null {
  const type = ctx.site.types.get(typeName)
  if (!type) return null
  const { locale, mode } = from.locale === '' ? ctx : from
  const scope = scopeOf(type, locale, hasRole(roleOf(ctx.actor), 'contributor') ? mode : 'published')
  const view = (visibility: Visibility | null): View => ({ ...scope, archived: false, visibility })
  const access = readAccess(ctx.actor, type)
  if (access) return { type, view: view(access.visibility), fields: access.fields }
  if (type.viewRole && !hasRole(roleOf(ctx.actor), type.viewRole)) return null
  return { type, view: view(isAnonymous(ctx.actor) ? 'public' : null), fields: 'minimal' }
}

/**
 * True when the caller sees this field of the related documents; otherwise it must not be used to find or show
 * anything.
 */
export function seesRelatedField(ctx: Viewer, { type, fields }: RelatedAccess, name: string): boolean {
  if (fields === 'minimal' && !MINIMAL.has(name)) return false
  const access: ReadAccess = { fields: fields === 'minimal' ? 'full' : fields, visibility: null }
  return visibleField(ctx.actor, access, type, name) !== null
}

/** True when the caller may know of every document of the related type: and so of its ids. */
export function seesAllRelated(ctx: Viewer, access: RelatedAccess | null): boolean {
  return access?.fields === 'full' && access.view.visibility === null && hasRole(roleOf(ctx.actor), 'contributor')
}

/** A document that a relationship leads to, and what the relationship says of it. */
export interface Related {
  readonly docId: DocId
  readonly fields: JsonObject
}

/** A relationship, and how the caller sees what it leads to. */
export interface RelatedBy {
  readonly field: Field
  readonly access: RelatedAccess
}

/**
 * True where a relationship says nothing of a document. An empty value says something where the field has a default:
 * sent back without it, the document would get that.
 */
export function saysNothing({ type, options }: Field, fields: JsonObject): boolean {
  return isNothing(fields) && type.innerFields?.(options).list.some(hasDefault) !== true
}

function hasDefault({ def, type, options }: Field): boolean {
  return def !== undefined || type.innerFields?.(options).list.some(hasDefault) === true
}

/** Other ones where another text is shown. */
export function relatedKey({ docId, fields }: Related): string {
  return Object.keys(fields).length === 0 ? docId : `${docId} ${JSON.stringify(fields)}`
}

/** A related document as an answer holds it. */
export function withFields(document: JsonObject, fields: JsonObject): JsonObject {
  return { ...document, _fields: fields }
}
