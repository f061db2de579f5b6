import type { FieldInfo, Json, JsonObject } from 'quire-client'
import { itemsOf } from '../fields.ts'
import type { Path, Problem } from '../form.ts'
import { isObject, own } from '../json.ts'
import { isEmpty } from './emptiness.ts'
import { isColor, isDate, isDateAndTime, isEmail, isTime, isUrl } from './value-forms.ts'

/** Problems without words that need more than their name. */
type Plain = Readonly<Record<never, never>>

/** The values in the message of each problem that the editor finds, by its name. */
export type ProblemParams = {
  readonly required: Plain
  /** Of numbers, dates and times. */
  readonly min: { readonly min: string | number }
  readonly max: { readonly max: string | number }
  /** Characters. */
  readonly minLength: { readonly min: number }
  readonly maxLength: { readonly max: number; readonly length: number }
  /** Items of a list. */
  readonly minCount: { readonly min: number; readonly count: number }
  readonly maxCount: { readonly max: number; readonly count: number }
  readonly pattern: { readonly pattern: string }
  readonly text: Plain
  readonly number: Plain
  readonly integer: Plain
  readonly choice: Plain
  readonly slug: Plain
  readonly email: Plain
  readonly url: Plain
  readonly color: Plain
  readonly date: Plain
  readonly time: Plain
  readonly dateAndTime: Plain
}

/** The names of problems that the editor finds. */
export type ProblemName = keyof ProblemParams

/** A problem of a value, before it has a place. */
type ValueProblem = {
  readonly [Name in ProblemName]: keyof ProblemParams[Name] extends never
    ? { readonly name: Name; readonly params?: never }
    : { readonly name: Name; readonly params: ProblemParams[Name] }
}[ProblemName]

type Check = (value: Json, options: JsonObject) => ValueProblem | null

/** Finds problems of a value that need no service, which has the last word. */
export function checkValue(field: FieldInfo, value: Json, path: Path): readonly Problem[] {
  if (isEmpty(field, value)) return field.required && field.type !== 'password' ? [{ path, name: 'required' }] : []
  const check = Object.hasOwn(CHECKS, field.type) ? CHECKS[field.type] : undefined
  const found = check?.(value, field.options) ?? null
  if (found === null) return []
  return [found.params === undefined ? { path, name: found.name } : { path, name: found.name, params: found.params }]
}

const CHECKS: Readonly<Record<string, Check>> = {
  string: (value, options) => ofText(value, (text) => length(text, options) ?? pattern(text, options)),
  slug: (value) => ofText(value, (text) => (/[\p{L}\p{N}]/u.test(text) ? null : { name: 'slug' })),
  email: (value, options) =>
    ofText(value, (text) => (isEmail(text) ? length(text, options, { max: 254 }) : { name: 'email' })),
  url: (value, options) =>
    ofText(value, (text) => (isUrl(text) ? length(text, options, { max: 2000 }) : { name: 'url' })),
  password: (value, options) => ofText(value, () => length(String(value), options, { min: 8, max: 1000 })),
  color: (value) => ofText(value, (text) => (isColor(text) ? null : { name: 'color' })),
  date: (value, options) => ofText(value, (text) => (isDate(text) ? within(text, options) : { name: 'date' })),
  time: (value, options) =>
    ofText(value, (text) => (isTime(text) ? within(seconds(text), inSeconds(options)) : { name: 'time' })),
  dateAndTime: (value, options) =>
    ofText(value, (text) => (isDateAndTime(text) ? within(instant(text), options) : { name: 'dateAndTime' })),
  integer: (value, options) => number(value, options) ?? (Number.isSafeInteger(value) ? null : { name: 'integer' }),
  float: number,
  range: number,
  box: (value, options) => {
    const sides = isObject(value) ? Object.values(value).filter((side) => side !== null && side !== undefined) : []
    return sides.map((side) => number(side, options)).find((found) => found !== null) ?? null
  },
  select: choice,
  radio: choice,
  checkboxes: (value, options) => {
    const values = Array.isArray(value) ? value : [value]
    return values.map((one) => choice(one, options)).find((found) => found !== null) ?? count(values.length, options)
  },
  relationship: (value, options) => count(Array.isArray(value) ? value.length : 0, options),
  array: (value, options) => count(itemsOf(value).length, options),
  area: (value, options) => count(itemsOf(value).length, options),
}

function ofText(value: Json, check: (text: string) => ValueProblem | null): ValueProblem | null {
  return typeof value === 'string' ? check(value.trim()) : { name: 'text' }
}

interface Limits {
  readonly min?: number
  readonly max?: number
}

/** Lengths are in characters, as the service counts them: an emoji of one code point is one. */
function length(text: string, options: JsonObject, most: Limits = {}): ValueProblem | null {
  const limits = { min: amount(options.min) ?? most.min, max: smaller(amount(options.max), most.max) }
  const counted = text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0)
  if (limits.min !== undefined && counted < limits.min) return { name: 'minLength', params: { min: limits.min } }
  if (limits.max === undefined || counted <= limits.max) return null
  return { name: 'maxLength', params: { max: limits.max, length: counted } }
}

function pattern(text: string, options: JsonObject): ValueProblem | null {
  const source = own(options, 'pattern')
  return typeof source !== 'string' || matches(source, text) ? null : { name: 'pattern', params: { pattern: source } }
}

/** A pattern that this browser does not understand is the service's business. */
function matches(source: string, text: string): boolean {
  try {
    return new RegExp(source, 'u').test(text)
  } catch {
    return true
  }
}

function number(value: Json, options: JsonObject): ValueProblem | null {
  return typeof value === 'number' && Number.isFinite(value) ? within(value, options) : { name: 'number' }
}

function within<Value extends string | number>(value: Value, { min, max }: JsonObject): ValueProblem | null {
  if (isLike(min, value) && value < min) return { name: 'min', params: { min } }
  return isLike(max, value) && value > max ? { name: 'max', params: { max } } : null
}

function isLike<Value extends string | number>(bound: Json | undefined, value: Value): bound is Value {
  return typeof bound === typeof value
}

function choice(value: Json, { choices }: JsonObject): ValueProblem | null {
  const known = Array.isArray(choices) ? choices : []
  return known.some((one) => (isObject(one) ? one.value : one) === value) ? null : { name: 'choice' }
}

/** An empty list is only for `required` to refuse. */
function count(given: number, options: JsonObject): ValueProblem | null {
  const [min, max] = [amount(options.min), amount(options.max)]
  if (given > 0 && min !== undefined && given < min) return { name: 'minCount', params: { min, count: given } }
  return max !== undefined && given > max ? { name: 'maxCount', params: { max, count: given } } : null
}

function amount(option: Json | undefined): number | undefined {
  return typeof option === 'number' ? option : undefined
}

function smaller(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.min(one, other)
}

/** `13:05` and `13:05:00` are the same time. */
function seconds(time: string): string {
  return time.length === 'HH:MM'.length ? `${time}:00` : time
}

function inSeconds({ min, max }: JsonObject): JsonObject {
  const bound = (time: Json | undefined) => (typeof time === 'string' ? seconds(time) : null)
  return { min: bound(min), max: bound(max) }
}

function instant(text: string): string {
  const time = Date.parse(/[T ]/.test(text) && !/(?:Z|[+-]\d{2}(?::?\d{2})?)$/i.test(text) ? `${text}Z` : text)
  return Number.isNaN(time) ? text : new Date(time).toISOString()
}
