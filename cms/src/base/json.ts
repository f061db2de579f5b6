/** Any JSON value. */
export type Json = string | number | boolean | null | Json[] | JsonObject

/** A JSON object. Read unknown names with `own`: a name from outside must never reach a prototype. */
export interface JsonObject {
  [name: string]: Json
}

/** A JSON Schema, as used in the OpenAPI document. */
export type JsonSchema = { readonly [keyword: string]: unknown }

/** True for plain objects: not null, not an array. */
export function isObject(value: unknown): value is { [name: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A deep copy. Several times faster than `structuredClone`, which copies more than JSON. */
export function copyJson<Value extends Json>(value: Value): Value
export function copyJson(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => copyJson(item))
  const copy: JsonObject = {}
  for (const name of Object.keys(value)) {
    // Assigning this name would set the prototype.
    if (name !== '__proto__') copy[name] = copyJson(value[name] ?? null)
  }
  return copy
}

/** The value of an object's own property, or undefined: inherited names do not count. */
export function own<T>(holder: { readonly [name: string]: T }, name: string): T | undefined {
  return Object.hasOwn(holder, name) ? holder[name] : undefined
}
