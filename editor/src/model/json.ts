import type { Json, JsonObject } from 'quire-client'

/** True for objects: not null, not a list. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value of an object's own property; inherited names do not count. */
export function own(holder: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(holder, name) ? holder[name] : undefined
}

/** An object without some of its properties. */
export function without(holder: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(holder).filter(([name]) => !names.includes(name)))
}

/** Whether two values are equal; the order of an object's names does not matter, and one that is undefined is not there. */
export function sameJson(left: Json | undefined, right: Json | undefined): boolean {
  if (left === right) return true
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((value, index) => sameJson(value, right[index]))
  }
  if (!isObject(left) || !isObject(right)) return false
  const names = new Set([...Object.keys(left), ...Object.keys(right)])
  return [...names].every((name) => sameJson(own(left, name), own(right, name)))
}

/** Whether anything in a value has this `_id`. */
export function holdsId(value: Json | undefined, id: string): boolean {
  if (Array.isArray(value)) return value.some((one) => holdsId(one, id))
  if (!isObject(value)) return false
  return own(value, '_id') === id || Object.values(value).some((one) => holdsId(one, id))
}
