import { z } from 'zod'
import type { FieldType } from './field-type.ts'
import { toInstant } from './moment.ts'
import { checkBounds } from './options.ts'
import { isWithin, readText } from './outside.ts'

const bound = z
  .string()
  .transform((text, issues) => toInstant(text) ?? issues.addIssue('Write an ISO 8601 date and time.') ?? z.NEVER)
  .optional()
const options = z.strictObject({ min: bound, max: bound })

/** A moment, stored in UTC: `2026-05-04T10:11:12.000Z`. */
export const dateAndTime: FieldType<z.infer<typeof options>, string> = {
  name: 'dateAndTime',
  options,
  blank: () => null,
  read(input, bounds, reading) {
    const text = readText(input, undefined, reading)
    if (text === null) return null
    const instant = toInstant(text)
    if (instant !== null) return isWithin(instant, bounds, reading) ? instant : null
    reading.problem('Write a real date and time as ISO 8601, for example 2026-05-04T10:11:12Z.')
    return null
  },
  toText: (value) => value,
  jsonSchema: () => ({ type: ['string', 'null'], format: 'date-time' }),
  check: checkBounds,
  scalar: () => 'text',
  index: (value) => [{ text: value, number: Date.parse(value) }],
}
