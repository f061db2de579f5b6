import { safeUrl } from './html.ts'
import { isObject } from './json.ts'
import { slugify } from './text.ts'

/** A value of a parameter of a URL. Undefined, null and empty text remove it. */
export type UrlValue = string | number | boolean | null | undefined | readonly UrlValue[] | UrlObject

/** Parameters in brackets (`price: { min: 1 }` is `price[min]=1`), or a change to a list of values. */
interface UrlObject {
  readonly [name: string]: UrlValue
  /** Adds a value to the list, where it does not hold it. */
  readonly $addToSet?: UrlValue
  /** Takes a value out of the list. */
  readonly $pull?: UrlValue
}

/** Parameters by name. */
export interface UrlData {
  readonly [name: string]: UrlValue
}

/** Deeper than this no query is read. */
const MAX_DEPTH = 8

/** Parameters as a URL has them already, encoded. */
class Sent {
  readonly parts: string[]

  constructor(parts: string[]) {
    this.parts = parts
  }
}

type Parameters = Map<string, unknown>

/**
 * The URL with other query parameters (§4.6). What the URL has stays, hash included; `data` adds to it or replaces it,
 * later `data` wins. Undefined, null and empty text remove a parameter; 0 and false do not. The names in `path` become
 * steps of the path, as long as their values are slugs; the first that is not, it and the rest are query parameters. `{
 * tags: { $addToSet: 'art' } }` and `{ tags: { $pull: 'art' } }` change a list. A URL that is no link to a page, such
 * as `javascript:`, gives `#`. Never throws, whatever it is given.
 *
 *     buildUrl('/articles?page=3', { topic: 'art', page: null }) // /articles?topic=art
 *     buildUrl('/articles', ['topic'], data.query, { topic: 'art' }) // /articles/art?page=3
 */
export function buildUrl(url: string, path: readonly string[], ...data: readonly (UrlData | null | undefined)[]): string
export function buildUrl(url: string, ...data: readonly (UrlData | null | undefined)[]): string
export function buildUrl(url: string, ...pathAndData: readonly unknown[]): string {
  const whole = String(url ?? '')
  if (safeUrl(whole) !== whole) return '#'
  const { base, query, hash } = partsOf(whole)
  const parameters = sentParameters(query)
  for (const data of pathAndData) if (isObject(data)) merge(parameters, data)
  const steps = Array.isArray(pathAndData[0]) ? takeSteps(pathAndData[0].map(String), parameters) : ''
  const parts = [...parameters].flatMap(([name, value]) => (value instanceof Sent ? value.parts : written(name, value)))
  return withSteps(base, steps) + (parts.length === 0 ? '' : `?${parts.join('&')}`) + hash
}

/** The URL with further steps of its path; `/` and `/page/2` are `/page/2`. */
export function withSteps(base: string, steps: string): string {
  if (steps === '') return base
  let end = base.length
  while (base[end - 1] === '/') end -= 1
  return base.slice(0, end) + steps
}

/**
 * A text as one step of a path. What steps may hold as it is stays, as browsers leave it: a redirect from one form to
 * the other would be one to the same page.
 */
export function encodedStep(text: string): string {
  return encoded(text).replace(/%(?:24|26|2B|2C|3B|3D|40)/g, decodeURIComponent)
}

function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}

function partsOf(url: string): { readonly base: string; readonly query: string; readonly hash: string } {
  const hashAt = url.indexOf('#')
  const hash = hashAt < 0 ? '' : url.slice(hashAt)
  const before = hashAt < 0 ? url : url.slice(0, hashAt)
  const queryAt = before.indexOf('?')
  if (queryAt < 0) return { base: before, query: '', hash }
  return { base: before.slice(0, queryAt), query: before.slice(queryAt + 1), hash }
}

function sentParameters(query: string): Parameters {
  const parameters: Parameters = new Map()
  for (const part of query.split('&')) {
    if (part === '') continue
    const name = parameterOf(nameOf(part))
    const sent = parameters.get(name)
    if (sent instanceof Sent) sent.parts.push(part)
    else parameters.set(name, new Sent([part]))
  }
  return parameters
}

/** The parameter that a name with brackets belongs to: `price` of `price[min]`. */
function parameterOf(name: string): string {
  const open = name.indexOf('[')
  return open < 1 || !name.endsWith(']') ? name : name.slice(0, open)
}

function nameOf(part: string): string {
  return decoded(part.split('=', 1)[0] ?? '')
}

function decoded(text: string): string {
  const spaced = text.replaceAll('+', ' ')
  try {
    return decodeURIComponent(spaced)
  } catch {
    return spaced
  }
}

function merge(parameters: Parameters, data: { readonly [name: string]: unknown }): void {
  for (const [name, value] of Object.entries(data)) {
    if (name === '__proto__') continue
    const list = isObject(value) ? changedList(parameters.get(name), value) : null
    const values = list ?? value
    if (textOf(values) === '') parameters.delete(name)
    else parameters.set(name, values)
  }
}

/** The list of a parameter after `$addToSet` and `$pull`; null where the value has neither. */
function changedList(before: unknown, change: { readonly [name: string]: unknown }): string[] | null {
  const isChange = Object.hasOwn(change, '$addToSet') || Object.hasOwn(change, '$pull')
  if (!isChange) return null
  const list = new Set([...textsOf(before), ...textsOf(change.$addToSet)])
  for (const text of textsOf(change.$pull)) list.delete(text)
  return [...list]
}

/** The values of a parameter, or of its argument, that are texts, numbers and booleans. */
function textsOf(value: unknown): string[] {
  if (value instanceof Sent)
    return value.parts.filter(isOfList).map((part) => decoded(part.slice(part.indexOf('=') + 1)))
  const texts = (Array.isArray(value) ? value : [value]).map(textOf)
  return texts.filter((text): text is string => text !== null && text !== '')
}

/** True for `tags=art`, `tags[]=art` and `tags[0]=art`. */
function isOfList(part: string): boolean {
  const name = nameOf(part)
  return part.includes('=') && /^(\[\d{0,3}\])?$/.test(name.slice(parameterOf(name).length))
}

/** Takes the parameters that become steps of the path; the first that is missing or no slug ends them. */
function takeSteps(path: readonly string[], parameters: Parameters): string {
  let steps = ''
  for (const name of path) {
    const text = textOf(parameters.get(name))
    if (text === null || text === '' || slugify(text) !== text) return steps
    steps += `/${encodedStep(text)}`
    parameters.delete(name)
  }
  return steps
}

/** A value as text; null for lists and objects. */
function textOf(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return WORDS.has(typeof value) ? String(value) : ''
  // Template files have texts of their own.
  return value instanceof String ? String(value) : null
}

const WORDS: ReadonlySet<string> = new Set(['string', 'number', 'boolean', 'bigint'])

/** The parts of a query that say a value: `price%5Bmin%5D=1`. */
function written(name: string, value: unknown, depth = 0): string[] {
  const text = textOf(value)
  if (text !== null) return text === '' ? [] : [`${encoded(name)}=${encoded(text)}`]
  if (depth === MAX_DEPTH) return []
  if (Array.isArray(value)) return value.flatMap((item) => written(`${name}[]`, item, depth + 1))
  const entries = Object.entries(value as object).filter(([key]) => key !== '__proto__')
  return entries.flatMap(([key, item]) => written(`${name}[${key}]`, item, depth + 1))
}
