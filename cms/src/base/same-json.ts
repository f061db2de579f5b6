import type { Json } from './json.ts'

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

/** One text for all JSON values that `sameJson` finds equal: names are sorted, nothing else differs. */
export function canonicalJson(value: Json): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`
  const names = Object.keys(value).sort()
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name] ?? null)}`).join()}}`
}
