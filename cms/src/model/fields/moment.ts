import type { Reading } from '../field-type/field-type.ts'
import { isWithin, readText } from '../field-type/outside.ts'

// Dates and times as texts, for the field types to share.

const INSTANT = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i

/** True for a real date written `YYYY-MM-DD`. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const time = Date.parse(`${text}T00:00:00.000Z`)
  // JavaScript takes 30 February for 2 March.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

/** True for a time of the day written `HH:MM` or `HH:MM:SS`. */
export function isTime(text: string): boolean {
  return /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?$/.test(text)
}

/** The seconds from midnight to a time of the day. */
export function secondsOf(time: string): number {
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
export function readMoment(
  input: unknown,
  bounds: { readonly min?: string | undefined; readonly max?: string | undefined },
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
