import { isObject, type Json, type JsonObject } from '../../base/json.ts'

/**
 * Plain JSON of MongoDB's extended JSON, in both of its forms: ids and dates become texts (ISO 8601), numbers numbers,
 * and what is undefined is left out.
 */
export function plainObject(object: JsonObject): JsonObject {
  const plain: JsonObject = {}
  for (const [name, value] of Object.entries(object)) {
    if (!isUndefined(value)) plain[name] = plainValue(value)
  }
  return plain
}

function plainValue(value: Json): Json {
  if (Array.isArray(value)) return value.filter((item) => !isUndefined(item)).map(plainValue)
  if (!isObject(value)) return value
  const entries = Object.entries(value)
  const [name = '', inner = null] = entries[0] ?? []
  return entries.length === 1 && name.startsWith('$') ? special(name, inner) : plainObject(value)
}

function special(name: string, value: Json): Json {
  if (name === '$date') return dateOf(plainValue(value))
  if (name === '$oid' || name === '$symbol') return value
  if (['$numberInt', '$numberLong', '$numberDouble', '$numberDecimal'].includes(name)) return numberOf(value)
  return { [name]: plainValue(value) }
}

function dateOf(value: Json): Json {
  const date = new Date(typeof value === 'number' ? value : String(value))
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}

/** No JSON holds infinite numbers. */
function numberOf(value: Json): Json {
  const number = Number(value)
  return Number.isFinite(number) ? number : null
}

function isUndefined(value: Json): boolean {
  return isObject(value) && value.$undefined === true
}
