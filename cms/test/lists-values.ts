import type { Kind } from './lists-site.ts'
import { folded, plainLetters, type Seen, type Stored, secondsOf, sees, seesSchedules } from './lists-truth.ts'

type Cell = string | number | null

/** Whether a caller may sort a list by a name. */
export function isSortable(seen: Seen, name: string): boolean {
  if (name === 'createdAt' || name === 'updatedAt') return seen.isFull
  if (name === 'lastPublishedAt') return seen.isFull && seen.type.isLocalized
  if (name === 'publishAt' || name === 'archiveAt') return seesSchedules(seen)
  const field = seen.type.fields[name]
  return field !== undefined && field.kind !== 'choices' && sees(seen, field.sees)
}

/** What a document is sorted by; null where it has no value. */
export function cellOf({ type }: Seen, document: Stored, name: string): Cell {
  if (name === 'createdAt' || name === 'updatedAt' || name === 'lastPublishedAt') return document[name]
  if (name === 'publishAt' || name === 'archiveAt') return document[name]
  const value = document.fields[name]
  if (name === 'title')
    return plainLetters(folded(String(value)))
      .trim()
      .replaceAll(/\s+/g, ' ')
  if (value === null || value === undefined || value === '') return null
  const kind = type.fields[name]?.kind
  if (kind === 'number' || kind === 'boolean') return Number(value)
  return kind === 'moment' ? String(value) : folded(String(value))
}

/** The order of two cells: those without a value come last. */
export function compare(one: Cell, other: Cell, direction: 1 | -1): number {
  if (one === other) return 0
  if (one === null || other === null) return one === null ? 1 : -1
  if (typeof one === 'number') return (one - Number(other)) * direction
  return Buffer.compare(Buffer.from(one), Buffer.from(String(other))) * direction
}

/** Whether a number lies between bounds, both included; one that is not a number is none. */
export function isBetween(value: number, min = Number.NaN, max = Number.NaN): boolean {
  return !(value < min) && !(value > max)
}

/** A parameter's text as a value of a field; null where it can be none. */
export function readAs(name: string, kind: Kind, text: string): string | number | boolean | null {
  if (kind === 'number') {
    const isNumber = (name === 'price' ? /^-?\d+(\.\d+)?$/ : /^-?\d+$/).test(text)
    return isNumber ? Number(text) : null
  }
  if (kind === 'boolean') return text === 'true' ? true : text === 'false' ? false : null
  return text
}

/** What a value is compared and counted by. */
export function keysOf(kind: Kind, value: unknown): (string | number)[] {
  if (value === null || value === undefined || value === '') return []
  if (Array.isArray(value)) return value.map(String)
  if (kind === 'number') return [Number(value)]
  if (kind === 'text' || kind === 'address') return [folded(String(value))]
  return [String(value)]
}

/** What a value is compared with bounds by. */
export function numberOf(kind: Kind, value: unknown): number {
  if (kind === 'number') return Number(value)
  const text = String(value)
  return /^\d\d:\d\d/.test(text) ? secondsOf(text) : Date.parse(text)
}
