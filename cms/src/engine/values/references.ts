import type { JsonObject } from '../../base/json.ts'
import type { Type } from '../../model/declared/types.ts'
import type { Reference } from '../../model/field-type/reference.ts'
import { storedValue, walk } from '../../model/values/walk.ts'

/** Tells references of a document from one another. */
export function keyOf(reference: Reference): string {
  return reference.kind === 'document' ? `${reference.type} ${reference.id}` : reference.id
}

/** What the values of a document point to. */
export function referencesIn(type: Type, values: JsonObject): Reference[] {
  const found: Reference[] = []
  for (const { field, values: holder } of walk(type.fields, values)) {
    if (!field.type.references) continue
    const value = storedValue(field, holder)
    if (value !== null) for (const reference of field.type.references(value, field.options)) found.push(reference)
  }
  return found
}

/** The ids of references of one kind, each once. */
export function idsOf(references: readonly Reference[], kind: Reference['kind']): string[] {
  return [...new Set(references.filter((reference) => reference.kind === kind).map((reference) => reference.id))]
}

/** What is stored in a document stays, in whatever place of it that takes documents of the same type. */
export function storedIn(type: Type, before: JsonObject | null): ReadonlySet<string> {
  return new Set(before ? referencesIn(type, before).map(keyOf) : [])
}
