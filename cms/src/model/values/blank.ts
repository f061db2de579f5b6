import type { JsonObject } from '../../base/json.ts'
import type { Field } from '../field-type/field-type.ts'

/**
 * The value shown for a field that has none stored. It is the same each time: ids are derived from `base`, the id of
 * the holder of the field.
 */
export function blankProperties({ name, type, options }: Field, base: string): JsonObject {
  let count = 0
  const blank = type.blank(options, () => {
    count += 1
    return `${base}-${name.replaceAll(/[^\w-]/g, '')}-${count}`.slice(-64)
  })
  return type.property ? type.property.store(blank, name) : { [name]: blank }
}
