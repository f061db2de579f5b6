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

/** The value of a name the object itself has, or undefined: inherited names do not exist. */
export function own<T>(holder: { readonly [name: string]: T }, name: string): T | undefined {
  return Object.hasOwn(holder, name) ? holder[name] : undefined
}
