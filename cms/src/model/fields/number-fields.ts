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

/** A whole number. */
export const integer: typeof float = {
  ...float,
  name: 'integer',
  read(input, bounds, reading) {
    const value = readNumber(input, bounds, reading)
    if (value === null || Number.isSafeInteger(value)) return value
    reading.problem('This must be a whole number.')
    return null
  },
  jsonSchema: (options, use) => ({ ...float.jsonSchema(options, use), type: ['integer', 'null'] }),
}

/** A number between two bounds, chosen with a slider. */
export const range: typeof float = {
  ...float,
  name: 'range',
  hasNoPlaceholder: true,
  style: 'number',
  options: z.strictObject({
    min: z.number(),
    max: z.number(),
    /** The steps of the editor's slider. */
    step: z.number().positive().optional(),
    unit: z.string().optional(),
  }),
}
