import type { JsonObject } from '../base/json.ts'
import type { Type } from '../model/declared/types.ts'
import type { Field } from '../model/field-type/field-type.ts'
import { isNothing } from '../model/field-type/outside.ts'
import type { DocId, Locale, Mode } from '../model/terms/document.ts'
import type { Scope, View } from '../store/contract/store.ts'
import type { Viewer } from './permissions.ts'
import { type TypeView, viewsOf } from './view.ts'

/**
 * The locale and mode of a document that refers to others: those are looked up in the same ones. Types without locales
 * have an empty locale; then those of the request count.
 */
export interface CopyScope {
  readonly locale: Locale
  readonly mode: Mode
}

/** How a caller sees the documents that a relationship leads to. */
export interface RelatedAccess {
  /** What is seen of them. */
  readonly shown: TypeView
  /** Which ones. */
  readonly view: View
}

/** The documents of a type in a locale and mode; types without locales have one list only. */
export function scopeOf(type: Type, locale: Locale, mode: Mode): Scope {
  return type.localized ? { type: type.name, locale, mode } : { type: type.name, locale: '', mode: 'published' }
}

/**
 * What the caller may see of documents of a type when a field that the caller sees leads to them; null for nothing.
 * Callers who may not read drafts get the published copies.
 */
export function relatedAccess(ctx: Viewer & CopyScope, typeName: string, from: CopyScope): RelatedAccess | null {
  const shown = viewsOf(ctx).related(typeName)
  if (shown === null) return null
  const { locale, mode } = from.locale === '' ? ctx : from
  const scope = scopeOf(shown.type, locale, shown.rights.has('readDraft') ? mode : 'published')
  return { shown, view: { ...scope, archived: false, visibility: shown.visibility } }
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

/** A relationship of one document that will be filled in. */
export interface RelationshipSlot {
  readonly field: Field
  /** The object that holds the ids, and will hold the documents. */
  readonly values: JsonObject
  /** The document that it belongs to. */
  readonly docId: DocId
  /** The answer for that document. */
  readonly answer: JsonObject
}
