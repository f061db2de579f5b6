import { newId } from '../../base/ids.ts'
import { copyJson, type Json, type JsonObject } from '../../base/json.ts'
import type { Type } from '../../model/declared/types.ts'
import type { Field, Fields } from '../../model/field-type/field-type.ts'
import { isSameKind, kindOf } from '../../model/history/declarations.ts'
import type { OpenDocument } from '../../model/terms/document.ts'
import { asidesOf, dropAsides, setAside } from '../../model/values/aside.ts'
import { acceptedProperties, blankFields } from '../../model/values/schema.ts'
import {
  childrenOf,
  dropField,
  isStored,
  propertyNames,
  StoredItems,
  storedValue,
  walk,
} from '../../model/values/walk.ts'
import type { Context } from '../context.ts'
import type { Viewer } from '../permissions.ts'
import { type Views, viewsOf } from '../view.ts'
import type { UnseenDocuments } from './unseen-documents.ts'

/** A copy of stored fields as far as the caller sees them: what is hidden at any depth, and secrets, are left out. */
export function visibleTo(views: Views, fields: Fields, stored: JsonObject): JsonObject {
  const copy = copyJson(stored)
  dropAsides(copy)
  for (const { field, values } of walk(fields, copy)) {
    if (!views.shows(field)) dropField(field, values)
  }
  return copy
}

/** A copy of values as far as the caller may write them: what belongs to others, at any depth, is left out. */
export function writableBy(views: Views, fields: Fields, values: JsonObject): JsonObject {
  const copy = copyJson(values)
  for (const { field, values: holder } of walk(fields, copy)) {
    if (!views.mayWrite(field)) dropField(field, holder)
  }
  return copy
}

/** A document whose fields take the place of those of another one. */
interface Merged {
  readonly incoming: OpenDocument
  readonly current: OpenDocument | null
  readonly unseen: UnseenDocuments
}

/**
 * The fields of a stored document (of another locale, of the other copy) in place of those of `current`: where the
 * caller may not write a field, it keeps its present value or the default of a new document, also in items and widgets
 * that both have.
 */
export function mergedFor(viewer: Viewer, type: Type, { incoming, current, unseen }: Merged): JsonObject {
  const views = viewsOf(viewer)
  const merged = copyJson(incoming.fields)
  const currentType = current && viewer.site.types.get(current.type)
  const held =
    current && currentType ? takenOver(views, { from: currentType.fields, to: type.fields }, current.fields) : null
  const stored = new StoredItems(type.fields, { before: held, mayEdit: (field) => views.mayWrite(field) })
  mergeHolder({ views, stored }, type.fields, merged, held)
  if (held !== null) unseen.keep(type.fields, merged, held)
  return merged
}

interface Merge {
  readonly views: Views
  /** The items of the present document: what is in another place there has what it has there. */
  readonly stored: StoredItems
}

function mergeHolder(merge: Merge, fields: Fields, values: JsonObject, current: JsonObject | null): void {
  const { views, stored } = merge
  const initial = fields.list.every((field) => views.mayWrite(field)) ? {} : blankFields(fields, newId)
  for (const field of fields.list) {
    if (field.type.computed) continue
    if (!views.mayWrite(field)) {
      dropField(field, values)
      setAside(values, field.name, asidesOf(current ?? {})[field.name] ?? null)
      const source = current !== null && isStored(field, current) ? current : initial
      for (const name of propertyNames(field)) if (source[name] !== undefined) values[name] = copyJson(source[name])
    } else {
      const currentByStep = new Map(childrenOf(field, current ?? {}).map((child) => [child.step, child]))
      for (const { step, fields, values: inner } of childrenOf(field, values)) {
        const held = currentByStep.get(step)
        // A widget of another type with the same id replaces it, and is another one.
        const isHere = held?.fields === fields
        const type = inner.metaType === 'widget' ? String(inner.type) : undefined
        mergeHolder(merge, fields, inner, isHere ? held.values : stored.elsewhere(step, fields, type))
      }
    }
  }
}

/** Changes a document's type: from the fields of one type to those of another. */
interface Change {
  readonly from: Fields
  readonly to: Fields
}

/**
 * A copy of the values of one type that a document of another type takes over: those of fields that both declare alike,
 * at any depth. A value is not taken over into a field of another field type, into one that does not accept it, into one
 * that others may see, or into one that the caller may not write although the former one was writable.
 */
export function takenOver(views: Views, change: Change, values: JsonObject): JsonObject {
  const copy = copyJson(values)
  if (change.from === change.to) return copy
  dropAsides(copy)
  dropUnlike(views, change, copy)
  return copy
}

function dropUnlike(views: Views, { from, to }: Change, values: JsonObject): void {
  for (const field of from.list) if (!to.byName.has(field.name)) dropField(field, values)
  for (const field of to.list) {
    const former = from.byName.get(field.name)
    if (former === undefined || !isTakenOver(views, { former, field }, values)) dropField(field, values)
  }
}

/** Whether the value is one of a field declared alike; what lies inside it and is not is left out of it. */
function isTakenOver(
  views: Views,
  { former, field }: { readonly former: Field; readonly field: Field },
  values: JsonObject,
): boolean {
  if (!isSameKind(kindOf(former), kindOf(field)) || former.viewRole !== field.viewRole) return false
  if (former.editRole !== field.editRole && !views.mayWrite(field)) return false
  // A list that is too long for its new field is kept, to be made shorter; what it holds is looked at one by one.
  const isChecked = former !== field && field.type.children === undefined && field.type.secret === undefined
  if (isChecked && isStored(field, values)) {
    const accepted = acceptedProperties(field, values)
    if (accepted === null) return false
    Object.assign(values, accepted)
  }
  const formerHolders = childrenOf(former, values)
  const holders = new Map(childrenOf(field, values).map((child) => [child.step, child]))
  // The fields of a widget that the area does not allow are unknown here.
  const unknown = new Set(formerHolders.flatMap(({ step }) => (holders.has(step) ? [] : [step])))
  if (unknown.size > 0 && !leaveOut(field, values, unknown)) return false
  for (const child of formerHolders) {
    const to = holders.get(child.step)?.fields ?? child.fields
    if (to !== child.fields) dropUnlike(views, { from: child.fields, to }, child.values)
  }
  return true
}

/** Takes items out of a value, in place; false where its field type cannot. */
function leaveOut(field: Field, holder: JsonObject, ids: ReadonlySet<string>): boolean {
  const left = field.type.without?.(storedValue(field, holder), ids)
  if (left !== undefined) holder[field.name] = left
  return left !== undefined
}

/**
 * A copy of what the caller sees, in the form in which clients send it: relationships as lists of `{ _id, _fields }`
 * under their declared names. What PATCH paths and operators (§4.1) address.
 */
function outsideForm(views: Views, fields: Fields, stored: JsonObject): JsonObject {
  const copy = visibleTo(views, fields, stored)
  for (const { field, values } of walk(fields, copy)) {
    const property = field.type.property
    if (!property || field.type.computed) continue
    const value = property.stored(values, field.name)
    dropField(field, values)
    if (value !== null) values[field.name] = inputForm(value)
  }
  return copy
}

function inputForm(value: Json): Json {
  if (value === null || typeof value !== 'object' || Array.isArray(value) || !Array.isArray(value.ids)) return value
  // `as`: what has ids is a relationship's value, which has fields too.
  const fieldsOf = value.fields as JsonObject
  return value.ids.map((id) => ({ _id: id, _fields: fieldsOf[String(id)] ?? {} }))
}

/** Returns the values that a PATCH may address: all that the caller sees, also fields added since the last save. */
export function patchableForm(ctx: Context, type: Type, stored: JsonObject): JsonObject {
  const isWhole = type.fields.list.every((field) => field.type.computed || isStored(field, stored))
  const whole = isWhole ? stored : { ...blankFields(type.fields, newId), ...stored }
  return outsideForm(viewsOf(ctx), type.fields, whole)
}
