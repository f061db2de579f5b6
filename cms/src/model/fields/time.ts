import { z } from 'zod'
import { date } from './date.ts'
import { isTime, readMoment, secondsOf } from './moment.ts'

const hint = 'Write a time as HH:MM or HH:MM:SS.'
/** `13:05` and `13:05:00` are the same time. */
const withSeconds = (time: string) => (time.length === 'HH:MM'.length ? `${time}:00` : time)
const bound = z.string().refine(isTime, hint).transform(withSeconds).optional()
const reader = { parse: (text: string) => (isTime(text) ? text : null), compared: withSeconds, hint }

/** A time of the day: `13:05` or `13:05:06`, stored as given. */
export const time: typeof date = {
  ...date,
  isDate: false,
  name: 'time',
  options: z.strictObject({ min: bound, max: bound }),
  read: (input, bounds, reading) => readMoment(input, bounds, reading, reader),
  jsonSchema: () => ({ type: ['string', 'null'], pattern: '^([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d)?$' }),
  index: (value) => [{ text: value, number: secondsOf(value) }],
}
