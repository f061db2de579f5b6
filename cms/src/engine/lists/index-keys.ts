import type { Field, IndexValue } from '../../model/fields/field-type.ts'
import { float } from '../../model/fields/float.ts'
import { readFields } from '../../model/schema.ts'
import { storedValue } from '../../model/walk.ts'

/** The keys of a text in the index rows of a field; none when the field could never hold it. */
export function indexKeys(field: Field, text: string): (string | number)[] {
  return indexValues(field, text).map((value) => value.number ?? value.text ?? '')
}

/** As `indexKeys`, for the bound of a range: one of whole numbers need not be whole. */
export function boundKeys(field: Field, text: string): (string | number)[] {
  const isNumber = field.type.scalar?.(field.options) === 'number' && !field.type.choices
  return indexKeys(isNumber ? { ...field, type: float } : field, text)
}

/** The text in the form in which the field stores it. The bounds of the field are ignored: nothing is stored. */
function indexValues(field: Field, text: string): IndexValue[] {
  // `as`: `options` of a field are an object, whatever its type declares in it.
  const { min: _min, max: _max, ...options } = field.options as { readonly min?: unknown; readonly max?: unknown }
  const unbounded = { ...field, options }
  const { values, problems } = readFields(
    { list: [unbounded], byName: new Map([[field.name, unbounded]]) },
    { [field.name]: text },
    { newId: () => '', mayEdit: () => true, maxDepth: 1, before: null, trusted: true },
  )
  const value = storedValue(field, values)
  return problems.length > 0 || value === null || !field.type.index ? [] : [...field.type.index(value, options)]
}
