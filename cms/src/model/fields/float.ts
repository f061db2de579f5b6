import { z } from 'zod'
import type { FieldType } from '../field-type/field-type.ts'
import { checkBounds, numberBounds, withoutLimits } from '../field-type/options.ts'
import { readNumber } from '../field-type/outside.ts'

const options = z.strictObject({ ...numberBounds, unit: z.string().optional() })

/** A number. */
export const float: FieldType<z.infer<typeof options>, number> = {
  name: 'float',
  options,
  blank: () => null,
  read: (input, bounds, reading) => readNumber(input, bounds, reading),
  toText: (value, { unit = '' }) => `${value}${unit}`,
  jsonSchema: ({ min, max }) => ({
    type: ['number', 'null'],
    ...(min === undefined ? {} : { minimum: min }),
    ...(max === undefined ? {} : { maximum: max }),
  }),
  check: checkBounds,
  scalar: () => 'number',
  unlimited: withoutLimits,
  index: (value) => [{ text: null, number: value }],
}
