/** Any JSON value. */
export type Json = string | number | boolean | null | Json[] | JsonObject

/** A JSON object. Read unknown names with `own`: a name from outside must never reach a prototype. */
export interface JsonObject {
  [name: string]: Json
}

/** A JSON Schema, as used in the OpenAPI document. */
export type JsonSchema = { readonly [keyword: string]: unknown }

/** An object from outside, whose values are unknown. Read its properties with `own`. */
export type UnknownObject = { readonly [name: string]: unknown }

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

/** Those of an object's own properties that have these names, in the order of the names. */
export function pick(values: JsonObject, names: Iterable<string>): JsonObject {
  const picked: JsonObject = {}
  for (const name of names) if (Object.hasOwn(values, name)) picked[name] = values[name] ?? null
  return picked
}

/** True when two JSON values are deeply equal; the order of an object's names does not matter. */
export function sameJson(left: Json | undefined, right: Json | undefined): boolean {
  if (left === right) return true
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false
  if (Array.isArray(left) || Array.isArray(right))
    return Array.isArray(left) && Array.isArray(right) && sameLists(left, right)
  const names = Object.keys(left)
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && sameJson(left[name], right[name]))
  )
}

function sameLists(left: readonly Json[], right: readonly Json[]): boolean {
  return left.length === right.length && left.every((value, index) => sameJson(value, right[index]))
}

/** Returns the same text for all JSON values that `sameJson` finds equal: names are sorted, nothing else differs. */
export function canonicalJson(value: Json): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`
  const names = Object.keys(value).sort()
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name] ?? null)}`).join()}}`
}

/** Limits of a JSON text. */
interface JsonLimits {
  /** Objects and lists in one another: functions that go through a value recurse for each. */
  readonly levels: number
  /** Properties of all objects. */
  readonly names?: number
}

const [QUOTE, COLON, BACKSLASH] = [0x22, 0x3a, 0x5c]
const [OPENING, CLOSING] = [new Set([0x5b, 0x7b]), new Set([0x5d, 0x7d])]

/** Names what a JSON text has too many of, found in its bytes before it is parsed; null where it is within limits. */
export function excessOf(bytes: Uint8Array, { levels, names: mostNames }: JsonLimits): keyof JsonLimits | null {
  let depth = 0
  let names = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0
    if (byte === QUOTE) at = endOfString(bytes, at + 1)
    else if (byte === COLON) names += 1
    else if (OPENING.has(byte)) depth += 1
    else if (CLOSING.has(byte)) depth -= 1
    if (depth > levels) return 'levels'
    if (mostNames !== undefined && names > mostNames) return 'names'
  }
  return null
}

/** The index of the quote that ends a string: one with an even number of backslashes before it. */
function endOfString(bytes: Uint8Array, start: number): number {
  for (let end = bytes.indexOf(QUOTE, start); end >= 0; end = bytes.indexOf(QUOTE, end + 1)) {
    let first = end
    while (first > start && bytes[first - 1] === BACKSLASH) first -= 1
    if ((end - first) % 2 === 0) return end
  }
  return bytes.length
}

/** Drops every `__proto__` in a parsed value, whose names may be copied later. */
export function dropPrototypes(top: object): void {
  const left: object[] = [top]
  for (let holder = left.pop(); holder !== undefined; holder = left.pop()) {
    if (Object.hasOwn(holder, '__proto__')) Reflect.deleteProperty(holder, '__proto__')
    for (const value of Object.values(holder)) if (typeof value === 'object' && value !== null) left.push(value)
  }
}

/** Joins a base path and a step: `address` and `city` give `address.city`; an empty one adds nothing. */
export function joinPath(base: string, step: string): string {
  if (base === '' || step === '') return base + step
  return `${base}.${step}`
}
