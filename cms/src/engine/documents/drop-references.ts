import type { Json, JsonObject } from '../../base/json.ts'
import type { Reference } from '../../model/fields/reference.ts'
import type { Type } from '../../model/types.ts'
import { walk } from '../../model/walk.ts'

/** Takes ids out of the relationships of values, in place: those that `isDropped` names, by their field's path. */
export function dropReferences(
  type: Type,
  values: JsonObject,
  isDropped: (reference: Reference, path: string) => boolean,
): void {
  for (const { field, values: holder, path } of walk(type.fields, values)) {
    const { property, references, computed } = field.type
    if (!property || !references || computed) continue
    const value = property.stored(holder, field.name)
    if (value === null) continue
    const dropped = [...references(value, field.options)].filter((reference) => isDropped(reference, path))
    if (dropped.length > 0)
      Object.assign(holder, property.store(without(value, new Set(dropped.map(({ id }) => id))), field.name))
  }
}

/** A relationship's stored value without some of its ids. */
function without(value: Json, ids: ReadonlySet<string>): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !Array.isArray(value.ids)) return value
  // `as`: what has ids is a relationship's value, which has fields too.
  const fields = Object.entries(value.fields as JsonObject).filter(([id]) => !ids.has(id))
  return { ids: value.ids.filter((id) => !ids.has(String(id))), fields: Object.fromEntries(fields) }
}
