import type { JsonObject } from '../base/json.ts'
import type { Field } from './fields/field-type.ts'

/**
 * What a field without a stored value is told as, or left with. Whatever is told twice is the same: ids are made from
 * `base`, the id of what holds the field.
 */
export function blankProperties({ name, type, options }: Field, base: string): JsonObject {
  let count = 0
  const blank = type.blank(options, () => {
    count += 1
    return `${base}-${name.replaceAll(/[^\w-]/g, '')}-${count}`.slice(-64)
  })
  return type.property ? type.property.store(blank, name) : { [name]: blank }
}
