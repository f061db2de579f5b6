import { copyJson, type Json, type JsonObject } from '../../base/json.ts'
import { dropAsides } from '../../model/aside.ts'
import type { Field, Fields } from '../../model/fields/field-type.ts'
import { propertyNames } from '../../model/property-names.ts'
import { hasRole } from '../../model/roles.ts'
import { walk } from '../../model/schema.ts'
import { type Actor, roleOf } from '../permissions.ts'

/** True for a field that the caller cannot see, wherever it lies. */
export function isHiddenFrom(actor: Actor, field: Field): boolean {
  return field.viewRole !== null && !hasRole(roleOf(actor), field.viewRole)
}

/** A copy of stored fields as far as the caller sees them: what is hidden at any depth, and secrets, are left out. */
export function visibleTo(actor: Actor, fields: Fields, stored: JsonObject): JsonObject {
  const copy = copyJson(stored)
  dropAsides(copy)
  for (const { field, values } of walk(fields, copy)) {
    if (!isHiddenFrom(actor, field) && field.type.secret === undefined) continue
    for (const name of propertyNames(field)) delete values[name]
  }
  return copy
}

/**
 * A copy of what the caller sees, in the form in which clients send it: relationships as lists of `{ _id, _fields }`
 * under their declared names. What PATCH paths and operators (§4.1) address.
 */
export function outsideForm(actor: Actor, fields: Fields, stored: JsonObject): JsonObject {
  const copy = visibleTo(actor, fields, stored)
  for (const { field, values } of walk(fields, copy)) {
    const property = field.type.property
    if (!property || field.type.computed) continue
    const value = property.stored(values, field.name)
    for (const name of propertyNames(field)) delete values[name]
    if (value !== null) values[field.name] = asGiven(value)
  }
  return copy
}

function asGiven(value: Json): Json {
  if (value === null || typeof value !== 'object' || Array.isArray(value) || !Array.isArray(value.ids)) return value
  // `as`: what has ids is a relationship's value, which has fields too.
  const fieldsOf = value.fields as JsonObject
  return value.ids.map((id) => ({ _id: id, _fields: fieldsOf[String(id)] ?? {} }))
}
