import { z } from 'zod'
import type { FieldType } from './field-type.ts'
import { checkBounds, numberBounds } from './options.ts'
import { readNumber } from './outside.ts'

const options = z.strictObject({ ...numberBounds, unit: z.string().optional() })

/** A whole number. */
export const integer: FieldType<z.infer<typeof options>, number> = {
  name: 'integer',
  options,
  blank: () => null,
  read(input, bounds, reading) {
    const value = readNumber(input, bounds, reading)
    if (value === null || Number.isSafeInteger(value)) return value
    reading.problem('This must be a whole number.')
    return null
  },
  toText: (value, { unit = '' }) => `${value}${unit}`,
  jsonSchema: ({ min, max }) => ({
    type: ['integer', 'null'],
    ...(min === undefined ? {} : { minimum: min }),
    ...(max === undefined ? {} : { maximum: max }),
  }),
  check: checkBounds,
  scalar: () => 'number',
  index: (value) => [{ text: null, number: value }],
}
