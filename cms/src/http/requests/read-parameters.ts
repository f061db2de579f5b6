import { invalid } from '../../base/errors.ts'
import { own } from '../../base/json.ts'
import type { QueryValue, QueryValues } from './route.ts'

/** The text of a parameter, undefined when it is not there. A list or an object is `invalid` (§0.4). */
export function textParameter(query: QueryValues, name: string): string | undefined {
  const value = own(query, name)
  if (value === undefined || typeof value === 'string') return value
  throw invalid(`The parameter "${name}" takes one text. Send it once, without brackets.`)
}

/** One or more texts (`name=a` or `name[]=a&name[]=b`), undefined when not there. Anything deeper is `invalid`. */
export function listParameter(query: QueryValues, name: string): string[] | undefined {
  const value = own(query, name)
  if (value === undefined) return undefined
  if (typeof value === 'string') return [value]
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value
  throw invalid(`The parameter "${name}" takes one text or a list of texts: ${name}[]=….`)
}

/** A whole number within bounds; the default when the parameter is not there. Anything else is `invalid`. */
export function wholeNumber(
  query: QueryValues,
  name: string,
  bounds: { readonly min: number; readonly max: number; readonly default: number },
): number {
  const text = textParameter(query, name)
  if (text === undefined) return bounds.default
  const number = /^\d{1,15}$/.test(text.trim()) ? Number(text) : Number.NaN
  if (number >= bounds.min && number <= bounds.max) return number
  const range =
    bounds.max < Number.MAX_SAFE_INTEGER ? `from ${bounds.min} to ${bounds.max}` : `of at least ${bounds.min}`
  throw invalid(`The parameter "${name}" takes a whole number ${range}.`)
}

/** `archived=true|any` (`1`, `null` likewise): which documents are requested (§3.5). Anything else is `invalid`. */
export function archivedParameter(query: QueryValues): boolean | 'any' {
  const text = textParameter(query, 'archived')
  if (text === undefined || text === '' || text === 'false' || text === '0') return false
  if (text === 'true' || text === '1') return true
  if (text === 'any' || text === 'null') return 'any'
  throw invalid('archived is true, false or any.')
}

/** True for `true` and `1`, false for any other text (§0.4). A list or an object is `invalid`. */
export function flag(query: QueryValues, name: string): boolean {
  return isTrueText(textParameter(query, name))
}

/**
 * Whether areas are rendered: `render-areas` is true for `true` and `1`, false for anything else; sent twice, the last
 * one counts, since there are clients that do so (§0.4).
 */
export function rendersAreas(query: QueryValues): boolean {
  const value = own(query, 'render-areas')
  return isTrueText(Array.isArray(value) ? value.at(-1) : value)
}

function isTrueText(value: unknown): boolean {
  return value === 'true' || value === '1'
}

const MAX_PARAMETERS = 100
const MAX_VALUES = 100
/** Parameters that name documents by their ids: they take as many values as the site allows ids. */
const IDS: ReadonlySet<string> = new Set(['_ids', 'ids'])

/**
 * Refuses a query with more parameters or values than any route answers (§0.5), whatever way they came, and before
 * anything is done with them. Nesting is limited where queries are parsed; how long a value may be, where it is used:
 * what a route does not know is ignored, however long it is.
 */
export function checkQuery(query: QueryValues, maxIds: number): void {
  const parameters = Object.entries(query)
  if (parameters.length > MAX_PARAMETERS) throw invalid(`At most ${MAX_PARAMETERS} parameters can be sent.`)
  for (const [name, value] of parameters) {
    const most = IDS.has(name) ? maxIds : MAX_VALUES
    if (countOf(value) > most) throw invalid(`${name.slice(0, 60)} takes at most ${most} values.`)
  }
}

function countOf(value: QueryValue): number {
  if (typeof value === 'string') return 1
  let count = 0
  for (const one of Object.values(value)) count += countOf(one)
  return count
}
