import { z } from 'zod'
import type { FieldType } from './field-type.ts'
import { isDate } from './moment.ts'
import { checkBounds } from './options.ts'
import { isWithin, readText } from './outside.ts'

const bound = z.string().refine(isDate, 'Write a date as YYYY-MM-DD.').optional()
const options = z.strictObject({ min: bound, max: bound })

/** A day: `2026-05-04`. */
export const date: FieldType<z.infer<typeof options>, string> = {
  name: 'date',
  options,
  blank: () => null,
  read(input, bounds, reading) {
    const text = readText(input, undefined, reading)
    if (text === null) return null
    if (isDate(text)) return isWithin(text, bounds, reading) ? text : null
    reading.problem('Write a real date as YYYY-MM-DD.')
    return null
  },
  toText: (value) => value,
  jsonSchema: () => ({ type: ['string', 'null'], format: 'date' }),
  check: checkBounds,
  scalar: () => 'text',
  index: (value) => [{ text: value, number: Date.parse(value) }],
}
