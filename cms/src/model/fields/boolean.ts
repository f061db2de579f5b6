import { z } from 'zod'
import type { FieldType } from '../field-type/field-type.ts'
import { isBlank } from '../field-type/outside.ts'

/** Whether a value from outside means true (§2.14). */
export function isTrue(input: unknown): boolean {
  const value = typeof input === 'string' ? input.trim() : input
  return value === true || value === 'true' || value === '1' || value === 1
}

const options = z.strictObject({})

/** True or false. Never empty: a field that is not filled in is false. */
export const boolean: FieldType<z.infer<typeof options>, boolean> = {
  name: 'boolean',
  hasNoPlaceholder: true,
  style: 'switch',
  options,
  blank: () => false,
  read(input, _options, reading) {
    if (isBlank(input)) return false
    const value = typeof input === 'string' ? input.trim() : input
    if (isTrue(value)) return true
    if (value !== false && value !== 'false' && value !== '0' && value !== 0) {
      reading.problem('This must be true or false.')
    }
    return false
  },
  toText: (value) => (value ? 'Yes' : 'No'),
  jsonSchema: () => ({ type: 'boolean' }),
  diff: (older, newer) => [{ of: 'value', old: older ?? false, new: newer ?? false }],
  scalar: () => 'boolean',
  index: (value) => [{ text: null, number: value ? 1 : 0 }],
}
