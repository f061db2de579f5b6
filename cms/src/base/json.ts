/** Any JSON value. */
export type Json = string | number | boolean | null | Json[] | JsonObject

/** A JSON object. Read unknown names with `own`: a name from outside must never reach a prototype. */
export interface JsonObject {
  [name: string]: Json
}

/** A JSON Schema, as it stands in the OpenAPI document. */
export type JsonSchema = { readonly [keyword: string]: unknown }

/** True for plain objects: not null, not an array. */
export function isObject(value: unknown): value is { [name: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A copy that shares nothing with the value. Several times faster than `structuredClone`, which copies more than JSON. */
export function copyJson<Value extends Json>(value: Value): Value
export function copyJson(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item) => copyJson(item))
  const copy: JsonObject = {}
  for (const name of Object.keys(value)) {
    // An own property of this name is data, but setting it would not make one.
    if (name !== '__proto__') copy[name] = copyJson(value[name] ?? null)
  }
  return copy
}

/** The value of a name the object itself has, or undefined: inherited names do not exist. */
export function own<T>(holder: { readonly [name: string]: T }, name: string): T | undefined {
  return Object.hasOwn(holder, name) ? holder[name] : undefined
}
