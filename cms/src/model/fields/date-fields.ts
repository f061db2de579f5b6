import { z } from 'zod'
import type { FieldType, Reading } from '../field-type/field-type.ts'
import { checkBounds, withoutLimits } from '../field-type/options.ts'
import { isWithin, readText } from '../field-type/outside.ts'
import type { Bounds } from '../field-type/value-terms.ts'

const dateBound = z.string().refine(isDate, 'Write a date as YYYY-MM-DD.').optional()
const options = z.strictObject({ min: dateBound, max: dateBound })
const dateReader = { parse: (text: string) => (isDate(text) ? text : null), hint: 'Write a real date as YYYY-MM-DD.' }

/** A day: `2026-05-04`. */
export const date: FieldType<z.infer<typeof options>, string> = {
  name: 'date',
  options,
  blank: () => null,
  read: (input, bounds, reading) => readMoment(input, bounds, reading, dateReader),
  toText: (value) => value,
  jsonSchema: () => ({ type: ['string', 'null'], format: 'date' }),
  check: checkBounds,
  scalar: () => 'text',
  isDate: true,
  isOrdered: true,
  unlimited: withoutLimits,
  index: (value) => [{ text: value, number: Date.parse(value) }],
}

const timeHint = 'Write a time as HH:MM or HH:MM:SS.'
/** `13:05` and `13:05:00` are the same time. */
const withSeconds = (time: string) => (time.length === 'HH:MM'.length ? `${time}:00` : time)
const timeBound = z.string().refine(isTime, timeHint).transform(withSeconds).optional()
const timeReader = { parse: (text: string) => (isTime(text) ? text : null), compared: withSeconds, hint: timeHint }

/** A time of the day: `13:05` or `13:05:06`, stored as given. */
export const time: typeof date = {
  ...date,
  isDate: false,
  name: 'time',
  options: z.strictObject({ min: timeBound, max: timeBound }),
  read: (input, bounds, reading) => readMoment(input, bounds, reading, timeReader),
  jsonSchema: () => ({ type: ['string', 'null'], pattern: '^([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d)?$' }),
  index: (value) => [{ text: value, number: secondsOf(value) }],
}

const instantBound = z
  .string()
  .transform((text, issues) => toInstant(text) ?? issues.addIssue('Write an ISO 8601 date and time.') ?? z.NEVER)
  .optional()
const instantHint = 'Write a real date and time as ISO 8601, for example 2026-05-04T10:11:12Z.'

/** A moment, stored in UTC: `2026-05-04T10:11:12.000Z`. */
export const dateAndTime: typeof date = {
  ...date,
  name: 'dateAndTime',
  options: z.strictObject({ min: instantBound, max: instantBound }),
  read: (input, bounds, reading) => readMoment(input, bounds, reading, { parse: toInstant, hint: instantHint }),
  jsonSchema: () => ({ type: ['string', 'null'], format: 'date-time' }),
}

// Dates and times as texts, for the field types to share.

const INSTANT = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i

/** True for a real date written `YYYY-MM-DD`. */
function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const time = Date.parse(`${text}T00:00:00.000Z`)
  // JavaScript takes 30 February for 2 March.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

/** True for a time of the day written `HH:MM` or `HH:MM:SS`. */
function isTime(text: string): boolean {
  return /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?$/.test(text)
}

/** The seconds from midnight to a time of the day. */
function secondsOf(time: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number)
  return hours * 3600 + minutes * 60 + seconds
}

/**
 * A date and time of ISO 8601 as UTC with milliseconds: `2026-05-04T10:11:12.000Z`. Without an offset it is UTC
 * already, without a time midnight. Null when it is none, or when UTC puts it outside of the years 0 to 9999.
 */
export function toInstant(text: string): string | null {
  const [, date = '', minutes = '00:00', seconds = '00', fraction = '', zone = 'Z'] = INSTANT.exec(text) ?? []
  if (!isDate(date) || !isTime(`${minutes}:${seconds}`)) return null
  const offset = offsetOf(zone)
  if (offset === null) return null
  const time = Date.parse(`${date}T${minutes}:${seconds}.${fraction.padEnd(3, '0').slice(0, 3)}Z`) - offset
  const instant = new Date(time).toISOString()
  return /^\d{4}-/.test(instant) ? instant : null
}

/** The milliseconds that a zone such as `+02:00` is ahead of UTC; null when there is no such zone. */
function offsetOf(zone: string): number | null {
  if (zone.toUpperCase() === 'Z') return 0
  const hours = Number(zone.slice(1, 3))
  const minutes = Number(zone.replace(':', '').slice(3) || 0)
  if (hours > 23 || minutes > 59) return null
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000
}

/** How a kind of moment is written. */
interface MomentReader {
  readonly parse: (text: string) => string | null
  /** Returns the form of a moment that is compared with the bounds, when it is not the moment as written. */
  readonly compared?: (moment: string) => string
  readonly hint: string
}

/** A text that `parse` understands, within its bounds; else reports `hint`. */
function readMoment(
  input: unknown,
  bounds: Bounds<string>,
  reading: Reading,
  { parse, compared = (moment) => moment, hint }: MomentReader,
): string | null {
  const text = readText(input, undefined, reading)
  if (text === null) return null
  const moment = parse(text)
  if (moment !== null) return isWithin(compared(moment), bounds, reading) ? moment : null
  reading.problem(hint)
  return null
}
