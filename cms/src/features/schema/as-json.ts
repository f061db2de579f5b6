import type { Json, JsonObject } from 'quire-client'
import { isObject } from '../../base/json.ts'

/** What a site declares, as JSON: a regular expression is its source; functions and the like are left out. */
export function asJson(declared: object): JsonObject {
  const entries = Object.entries(declared).flatMap(([name, value]) => {
    const json = jsonOf(value)
    return json === undefined ? [] : [[name, json] as const]
  })
  return Object.fromEntries(entries)
}

function jsonOf(value: unknown): Json | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (value instanceof RegExp) return value.source
  if (Array.isArray(value)) return value.map((one) => jsonOf(one) ?? null)
  return isPlain(value) ? asJson(value) : undefined
}

function isPlain(value: unknown): value is object {
  if (!isObject(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
