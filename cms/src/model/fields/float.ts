import { z } from 'zod'
import type { FieldType } from '../field-type/field-type.ts'
import { boundsSchema, checkBounds, numberBounds, withoutLimits } from '../field-type/options.ts'
import { readNumber } from '../field-type/outside.ts'

const options = z.strictObject({ ...numberBounds, unit: z.string().optional() })

/** A number. */
export const float: FieldType<z.infer<typeof options>, number> = {
  name: 'float',
  options,
  blank: () => null,
  read: (input, bounds, reading) => readNumber(input, bounds, reading),
  toText: (value, { unit = '' }) => `${value}${unit}`,
  jsonSchema: (bounds, use) => ({ type: ['number', 'null'], ...boundsSchema(bounds, use) }),
  check: checkBounds,
  scalar: () => 'number',
  unlimited: withoutLimits,
  index: (value) => [{ text: null, number: value }],
}
