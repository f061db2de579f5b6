import { invalid } from '../../base/errors.ts'
import { isObject, type Json, own } from '../../base/json.ts'
import { lengthOf } from '../../base/text.ts'
import type { Reading } from './field-type.ts'
import type { Bounds } from './value-terms.ts'

// How outside values are read, for the field types to share. All of them answer null for what is empty or wrong.

/** The longest text that any field takes, in characters. */
const LONGEST_TEXT = 1_000_000
/** The most items that any list takes. */
export const MOST_ITEMS = 10_000

/** True for `null` and text of nothing but space: empty, which every field takes (§2.13). */
export function isBlank(input: unknown): boolean {
  return input === null || input === undefined || (typeof input === 'string' && input.trim() === '')
}

/** True for empty values, and for lists and objects that hold nothing else. */
export function isNothing(value: unknown): boolean {
  if (isBlank(value) || (Array.isArray(value) && value.length === 0)) return true
  return (
    isObject(value) &&
    Object.entries(value).every(([name, one]) => name === '_id' || name === 'metaType' || isNothing(one))
  )
}

/** A text without surrounding space. Refuses other values, NUL characters, and more than `max` characters. */
export function readText(input: unknown, max: number | undefined, reading: Reading): string | null {
  if (isBlank(input)) return null
  if (typeof input !== 'string') {
    reading.problem('This must be text.')
    return null
  }
  return checkText(input.trim(), max, reading)
}

/**
 * A text unchanged, except that NUL characters, which PostgreSQL cannot store, are refused and lone surrogates
 * replaced.
 */
export function checkText(text: string, max: number | undefined, reading: Reading): string | null {
  const limit = Math.min(max ?? LONGEST_TEXT, LONGEST_TEXT)
  if (text.includes('\0')) {
    reading.problem('Text must not contain NUL characters.')
  } else if (text.length > limit && lengthOf(text) > limit) {
    reading.problem(`Use at most ${limit} characters.`, 'max')
  } else {
    return text.toWellFormed()
  }
  return null
}

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,4})?$/i

/** A finite number, also as text. `step` names a part of the value. */
export function readNumber(input: unknown, bounds: Bounds<number>, reading: Reading, step = ''): number | null {
  if (isBlank(input)) return null
  const isText = typeof input === 'string' && input.length <= 400 && NUMBER.test(input.trim())
  const value = isText ? Number(input) : input
  if (typeof value !== 'number' || !Number.isFinite(value)) {
    reading.problem('This must be a number.', 'invalid', step)
    return null
  }
  return isWithin(value, bounds, reading, step) ? value + 0 : null
}

/** True when a value lies between its bounds, both included; otherwise reports it. */
export function isWithin<Bound extends number | string>(
  value: Bound,
  bounds: Bounds<Bound>,
  reading: Reading,
  step = '',
): boolean {
  if (bounds.min !== undefined && value < bounds.min) {
    reading.problem(`This must be at least ${bounds.min}.`, 'min', step)
    return false
  }
  if (bounds.max !== undefined && value > bounds.max) {
    reading.problem(`This must be at most ${bounds.max}.`, 'max', step)
    return false
  }
  return true
}

/**
 * Reports a list that is too short or too long; an empty one is only for `required` to refuse. One that was too long
 * (or too short) when its site became stricter may stay as it is, and come closer to its bounds: `stored` is how many
 * it has; so may the one that the request names.
 */
export function checkCount(count: number, bounds: Bounds<number>, reading: Reading, stored = 0): void {
  if (count === 0) return
  const { min = 0, max = MOST_ITEMS } = bounds
  const counts = [stored, countOf(reading.named)]
  if (!reading.takesFew && isTooFew(count, min, counts)) reading.problem(tooFewMessage(min), 'min')
  const most = Math.min(max, MOST_ITEMS)
  if (count > most && counts.every((known) => count > known)) reading.problem(`Give at most ${most}.`, 'max')
}

/** Whether a list that is not empty has too few items, and fewer than wherever it is stored. */
export function isTooFew(count: number, min: number, stored: readonly number[]): boolean {
  return count > 0 && count < min && stored.every((known) => known === 0 || count < known)
}

export const tooFewMessage = (min: number) => `Give at least ${min}.`

/** Counts the items of a list, an area or a relationship. */
export function countOf(value: Json): number {
  if (Array.isArray(value)) return value.length
  const items = isObject(value) ? (own(value, 'items') ?? own(value, 'ids')) : null
  return Array.isArray(items) ? items.length : 0
}

/** A mark of a body: true or false, also as a text. Throws `invalid` for anything else. */
export function isTrue(body: { readonly [name: string]: unknown }, name: string): boolean {
  const mark = own(body, name)
  if (mark === true || mark === 'true') return true
  if (mark === undefined || mark === null || mark === false || mark === 'false' || mark === '') return false
  throw invalid(`${name} is true or false.`)
}
