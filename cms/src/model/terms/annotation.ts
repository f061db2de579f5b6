import { isObject, own } from '../../base/json.ts'
import { WIDGET_MARKS } from './property-labels.ts'

const TEXT_MARK = /<(?:ins|del)\s[^<>]{0,200}data-version-change/i

/** The refusal for callers who save an annotated document: they would save what was deleted, too. */
export const ANNOTATED =
  'This is from a document with marked changes, which is only to be shown. Read the version without "annotate" to save it.'

/** The mark that an object from outside has, if it is part of an annotated document. */
export function markOf(input: { readonly [name: string]: unknown }): string | null {
  return [...WIDGET_MARKS, '_changes'].find((name) => isMark(own(input, name))) ?? null
}

/** True when anything in a body has a mark. */
export function holdsMarks(body: { readonly [name: string]: unknown }): boolean {
  const rest: unknown[] = [body]
  while (rest.length > 0) {
    const value = rest.pop()
    if (typeof value !== 'object' || value === null) continue
    if (isObject(value) && markOf(value) !== null) return true
    for (const inner of Object.values(value)) rest.push(inner)
  }
  return false
}

/** True for rich text of an annotated document. */
export function isMarkedText(html: string): boolean {
  return TEXT_MARK.test(html)
}

function isMark(value: unknown): boolean {
  return value === true || value === 'changed' || value === 'assisted' || isObject(value)
}
