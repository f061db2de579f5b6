import { z } from 'zod'
import type { FieldType } from './field-type.ts'
import { checkBounds } from './options.ts'
import { readNumber } from './outside.ts'

const options = z.strictObject({
  min: z.number(),
  max: z.number(),
  /** Which values the editor's slider stops at. */
  step: z.number().positive().optional(),
  unit: z.string().optional(),
})

/** A number between two bounds, chosen with a slider. */
export const range: FieldType<z.infer<typeof options>, number> = {
  name: 'range',
  options,
  blank: () => null,
  read: (input, bounds, reading) => readNumber(input, bounds, reading),
  toText: (value, { unit = '' }) => `${value}${unit}`,
  jsonSchema: ({ min, max }) => ({ type: ['number', 'null'], minimum: min, maximum: max }),
  check: checkBounds,
  scalar: () => 'number',
  index: (value) => [{ text: null, number: value }],
}
