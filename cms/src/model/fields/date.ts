import { z } from 'zod'
import type { FieldType } from '../field-type/field-type.ts'
import { checkBounds, withoutLimits } from '../field-type/options.ts'
import { isDate, readMoment } from './moment.ts'

const bound = z.string().refine(isDate, 'Write a date as YYYY-MM-DD.').optional()
const options = z.strictObject({ min: bound, max: bound })
const reader = { parse: (text: string) => (isDate(text) ? text : null), hint: 'Write a real date as YYYY-MM-DD.' }

/** A day: `2026-05-04`. */
export const date: FieldType<z.infer<typeof options>, string> = {
  name: 'date',
  options,
  blank: () => null,
  read: (input, bounds, reading) => readMoment(input, bounds, reading, reader),
  toText: (value) => value,
  jsonSchema: () => ({ type: ['string', 'null'], format: 'date' }),
  check: checkBounds,
  scalar: () => 'text',
  isDate: true,
  isOrdered: true,
  unlimited: withoutLimits,
  index: (value) => [{ text: value, number: Date.parse(value) }],
}
