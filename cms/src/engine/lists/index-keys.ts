import type { Field } from '../../model/field-type/field-type.ts'
import type { IndexValue } from '../../model/field-type/index-value.ts'
import { float } from '../../model/fields/float.ts'
import { readFields } from '../../model/values/schema.ts'
import { storedValue } from '../../model/values/walk.ts'

/** The keys of a text in the index rows of a field; none when the field could never hold it. */
export function indexKeys(field: Field, text: string): (string | number)[] {
  return indexValues(field, text).map((value) => value.number ?? value.text ?? '')
}

/** As `indexKeys`, for the bound of a range: one of whole numbers need not be whole. */
export function boundKeys(field: Field, text: string): (string | number)[] {
  return indexKeys(isNumber(field) ? { ...field, type: float } : field, text)
}

/** Whether lists filter by bounds of the field (§4.1): numbers, dates and times have them, choices and texts have not. */
export function takesBounds(field: Field): boolean {
  return isNumber(field) || field.type.isOrdered === true
}

function isNumber({ type, options }: Field): boolean {
  return !type.choices && type.scalar?.(options) === 'number'
}

/** The text in the form in which the field stores it, within its limits or not. */
function indexValues(field: Field, text: string): IndexValue[] {
  const options = field.type.unlimited?.(field.options) ?? field.options
  const unbounded = { ...field, options }
  const { values, problems } = readFields(
    { list: [unbounded], byName: new Map([[field.name, unbounded]]) },
    { [field.name]: text },
    { newId: () => '', mayEdit: () => true, maxDepth: 1, before: null, trusted: true },
  )
  const value = storedValue(field, values)
  return problems.length > 0 || value === null || !field.type.index ? [] : [...field.type.index(value, options)]
}
