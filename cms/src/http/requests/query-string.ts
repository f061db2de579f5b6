import { invalid } from '../../base/errors.ts'
import { isObject } from '../../base/json.ts'
import type { QueryValues } from './route.ts'

const MAX_PARAMETERS = 1000
const MAX_DEPTH = 8
/** Conditions lie deeper than other parameters, and have a limit of their own (§4.1). */
const MAX_DEPTH_OF_WHERE = 12

/** A query while it is built: lists and objects may still grow. */
interface Growing {
  [name: string]: Value
}
type Value = string | Value[] | Growing

/** The query in a URL: what follows the first `?`. */
export function queryText(url: string): string {
  const questionMark = url.indexOf('?')
  return questionMark < 0 ? '' : url.slice(questionMark + 1)
}

/**
 * Query text (without `?`), or a form body, as values: `a=1`, `a[]=1`, `a[0]=1`, `a[b]=1`, `a[b][]=1`, `a[0][b]=1`; a name
 * given twice becomes a list. Objects have no prototype. Bad percent-encoding, over 1,000 values or 8 levels, and `__proto__`
 * in brackets: `invalid`.
 */
export function parseQuery(text: string): QueryValues {
  const query: Growing = Object.create(null)
  if (text === '') return query
  const parts = text.split('&', MAX_PARAMETERS + 1)
  if (parts.length > MAX_PARAMETERS) throw invalid(`At most ${MAX_PARAMETERS} values can be sent.`)
  for (const part of parts) {
    if (part === '') continue
    const equals = part.indexOf('=')
    const name = decoded(equals < 0 ? part : part.slice(0, equals))
    put(query, stepsOf(name), equals < 0 ? '' : decoded(part.slice(equals + 1)))
  }
  return query
}

/**
 * A JSON object as a query (`__aposGetWithQuery`, §4.3): numbers, booleans and null become the text that a query would
 * have. The same limits hold.
 */
export function queryFromJson(content: { readonly [name: string]: unknown }): QueryValues {
  const budget = { left: MAX_PARAMETERS, deepest: MAX_DEPTH }
  const { where, ...others } = content
  const query = objectFromJson(others, 0, budget)
  if (where !== undefined) query.where = valueFromJson(where, 0, { ...budget, deepest: MAX_DEPTH_OF_WHERE })
  return query
}

/** How many values may follow, and how deeply they may be nested. */
interface Budget {
  left: number
  readonly deepest: number
}

function objectFromJson(content: { readonly [name: string]: unknown }, depth: number, budget: Budget): Growing {
  const query: Growing = Object.create(null)
  for (const [name, value] of Object.entries(content)) {
    if (name !== '__proto__') query[name] = valueFromJson(value, depth, budget)
  }
  return query
}

function valueFromJson(value: unknown, depth: number, budget: Budget): Value {
  budget.left -= 1
  if (budget.left < 0) throw invalid(`At most ${MAX_PARAMETERS} values can be sent.`)
  if (Array.isArray(value) || isObject(value)) {
    if (depth >= budget.deepest) throw invalid(`Parameters can be nested ${budget.deepest} levels deep.`)
    if (isObject(value)) return objectFromJson(value, depth + 1, budget)
    return value.map((item) => valueFromJson(item, depth + 1, budget))
  }
  return value === null ? '' : String(value)
}

/** `a[b][]` → `a`, `b`, ``; a name with unbalanced brackets is left as it is. */
function stepsOf(name: string): string[] {
  const open = name.indexOf('[')
  if (open < 1 || !name.endsWith(']')) return [name]
  const steps = [name.slice(0, open), ...name.slice(open + 1, -1).split('][')]
  if (steps.length > MAX_DEPTH + 1) throw invalid(`Parameters can be nested ${MAX_DEPTH} levels deep.`)
  return steps
}

function put(query: Growing, steps: readonly string[], value: string): void {
  const [name = '', ...rest] = steps
  if (name === '__proto__') return
  if (steps.includes('__proto__')) throw invalid(`${name.slice(0, 60)} has nothing named __proto__.`)
  putBelow(query, name, rest, value)
}

function putBelow(holder: Growing, name: string, steps: readonly string[], value: string): void {
  const [step, ...rest] = steps
  if (step === undefined) {
    const before = holder[name]
    holder[name] = before === undefined ? value : [...listOf(before), value]
  } else if (step === '' || isIndex(step)) putInList(listAt(holder, name), step, rest, value)
  else putBelow(objectAt(holder, name), step, rest, value)
}

/** Puts a value into an item of a list, or below it. A list inside of a list is one with it. */
function putInList(list: Value[], index: string, steps: readonly string[], value: string): void {
  const [step, ...rest] = steps
  if (step === undefined) list.push(value)
  else if (step === '' || isIndex(step)) putInList(list, step, rest, value)
  else putBelow(itemAt(list, index), step, rest, value)
}

/** The items of lists that were named by an index: `a[1][b]` and `a[1][c]` are in one. */
const itemsByIndex = new WeakMap<Value[], Map<string, Growing>>()

function itemAt(list: Value[], index: string): Growing {
  const items = itemsByIndex.get(list) ?? new Map<string, Growing>()
  const known = index === '' ? undefined : items.get(index)
  if (known !== undefined) return known
  const made: Growing = Object.create(null)
  list.push(made)
  itemsByIndex.set(list, items.set(index, made))
  return made
}

function listAt(holder: Growing, name: string): Value[] {
  const before = holder[name]
  if (Array.isArray(before)) return before
  const made = before === undefined ? [] : [before]
  holder[name] = made
  return made
}

function objectAt(holder: Growing, name: string): Growing {
  const before = holder[name]
  // `as`: all that is in a growing query was put there by this file.
  if (isObject(before)) return before as Growing
  const made: Growing = Object.create(null)
  holder[name] = before === undefined ? made : [...listOf(before), made]
  return made
}

function listOf(value: Value): Value[] {
  return Array.isArray(value) ? value : [value]
}

function isIndex(step: string): boolean {
  return /^\d{1,3}$/.test(step)
}

function decoded(text: string): string {
  if (!text.includes('%') && !text.includes('+')) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw invalid('The query is not properly percent-encoded.')
  }
}

/** Merges two queries; where both have a name, `second` wins. */
export function mergeQueries(first: QueryValues, second: QueryValues): QueryValues {
  return Object.assign(Object.create(null), first, second)
}
