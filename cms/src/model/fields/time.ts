import { z } from 'zod'
import type { FieldType } from './field-type.ts'
import { isTime, secondsOf } from './moment.ts'
import { checkBounds } from './options.ts'
import { isWithin, readText } from './outside.ts'

const bound = z.string().refine(isTime, 'Write a time as HH:MM or HH:MM:SS.').optional()
const options = z.strictObject({ min: bound, max: bound })

/** A time of the day: `13:05` or `13:05:06`, stored as given. */
export const time: FieldType<z.infer<typeof options>, string> = {
  name: 'time',
  options,
  blank: () => null,
  read(input, bounds, reading) {
    const text = readText(input, undefined, reading)
    if (text === null) return null
    if (isTime(text)) return isWithin(text, bounds, reading) ? text : null
    reading.problem('Write a time as HH:MM or HH:MM:SS.')
    return null
  },
  toText: (value) => value,
  jsonSchema: () => ({ type: ['string', 'null'], pattern: '^([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d)?$' }),
  check: checkBounds,
  scalar: () => 'text',
  index: (value) => [{ text: value, number: secondsOf(value) }],
}
