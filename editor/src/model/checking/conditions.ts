import type { Json, JsonObject } from 'quire-client'
import { isObject, own } from '../json.ts'

/**
 * Whether the condition of a field (`if`) holds for its neighbours, as the service decides it: each named value (dotted
 * names lead into objects) is the one given, or one of a list of them; `$or` holds when one of its conditions does. Of
 * several checked boxes one must match. Relationships have no value here.
 */
export function conditionHolds(condition: JsonObject, values: JsonObject): boolean {
  return Object.entries(condition).every(([name, wanted]) => {
    if (name === '$or')
      return Array.isArray(wanted) && wanted.some((part) => isObject(part) && conditionHolds(part, values))
    const actual = valueAt(values, name)
    const accepted = Array.isArray(wanted) ? wanted : [wanted]
    return (Array.isArray(actual) ? actual : [actual]).some((one) => accepted.includes(one))
  })
}

function valueAt(values: JsonObject, name: string): Json {
  let value: Json = values
  for (const step of name.split('.')) {
    if (!isObject(value) || step.startsWith('_')) return null
    value = own(value, step) ?? null
  }
  return value
}
