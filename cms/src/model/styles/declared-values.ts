import { copyJson, isObject, type Json, type JsonObject } from '../../base/json.ts'
import type { Fields } from '../field-type/field-type.ts'
import type { ReadResult } from '../values/read-result.ts'
import { readFields } from '../values/schema.ts'

/**
 * Style values as their fields are declared now (§4.7): what a field does not take, and what was never saved, has its
 * default, inside objects too. Both stored and shown values can be given.
 */
export function declaredValues(fields: Fields, values: JsonObject): JsonObject {
  const first = read(fields, values)
  if (first.problems.length === 0) return first.values
  const taken = copyJson(values)
  for (const { path } of first.problems) removeAt(taken, path.split('.'))
  return read(fields, taken).values
}

function read(fields: Fields, values: JsonObject): ReadResult {
  const maxDepth = Number.POSITIVE_INFINITY
  return readFields(fields, values, { newId: () => '', mayEdit: () => true, maxDepth, before: null, trusted: true })
}

function removeAt(values: JsonObject, [step = '', ...steps]: readonly string[]): void {
  const value: Json | undefined = values[step]
  if (steps.length > 0 && isObject(value)) removeAt(value, steps)
  else delete values[step]
}
