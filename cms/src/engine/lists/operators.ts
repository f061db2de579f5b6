import { invalid } from '../../base/errors.ts'
import { isObject } from '../../base/json.ts'
import { foldText, lengthOf } from '../../base/text.ts'
import type { Field } from '../../model/field-type/field-type.ts'
import { fieldsOf } from '../../model/field-type/options.ts'
import type { IndexValue } from '../../model/field-type/value-terms.ts'
import { toInstant } from '../../model/fields/date-fields.ts'
import { float } from '../../model/fields/number-fields.ts'
import { isVisibility } from '../../model/terms/document-id.ts'
import { readFields } from '../../model/values/schema.ts'
import { storedValue } from '../../model/values/walk.ts'
import type { Bounds, Condition } from '../../store/contract/store.ts'
import type { RelatedSubject, Subject } from './filter-subject.ts'

/** The value that a subject is compared with, and the name of its parameter, for messages. */
interface Operand {
  readonly subject: Subject
  readonly value: unknown
  readonly path: string
}

const never: Condition = { kind: 'never' }
const always: Condition = { kind: 'all', of: [] }
const not = (of: Condition): Condition => ({ kind: 'not', of })

type Comparison = (operand: Operand) => Condition

const ANY: { readonly [name: string]: Comparison } = {
  $eq: isOneOf,
  $in: isOneOf,
  $ne: (operand) => not(isOneOf(operand)),
  $nin: (operand) => not(isOneOf(operand)),
  $not: ({ subject, value, path }) => not(compare(subject, value, path)),
  $exists: (operand) => (isTrue(operand) ? isFilled(operand.subject) : not(isFilled(operand.subject))),
}
const ORDERED: { readonly [name: string]: Comparison } = {
  $gte: (operand) => isWithin({ min: operand }),
  $gt: (operand) => isWithin({ above: operand }),
  $lte: (operand) => isWithin({ max: operand }),
  $lt: (operand) => isWithin({ below: operand }),
  $between: ({ value, ...operand }) => {
    if (!Array.isArray(value) || value.length !== 2) throw invalid(`${operand.path} takes two bounds, both included.`)
    return isWithin({ min: { ...operand, value: value[0] }, max: { ...operand, value: value[1] } })
  },
}
const TEXT: { readonly [name: string]: Comparison } = {
  $startsWith: (operand) => hasText(operand, 'beginning'),
  $contains: (operand) => hasText(operand, 'part'),
}

/** The operators that values of a field of the index take, and those of dates (§4.1). */
export const OPERATORS = {
  any: Object.keys(ANY),
  ordered: [...Object.keys(ANY), ...Object.keys(ORDERED)],
  text: [...Object.keys(ANY), ...Object.keys(TEXT)],
} as const

/** Which operators a field takes. */
export function operatorsOf(field: Field): keyof typeof OPERATORS {
  if (takesBounds(field)) return 'ordered'
  return isFreeText(field) ? 'text' : 'any'
}

/** Which operators a subject takes. */
export function operatorsFor(subject: Subject): keyof typeof OPERATORS {
  if (subject.kind === 'text') return 'text'
  if (subject.kind === 'date' || subject.kind === 'schedule') return 'ordered'
  return subject.kind === 'value' ? operatorsOf(subject.field) : 'any'
}

/**
 * A value, several (one of them), or operators by name, all of which hold (§4.1). `min` and `max` are `$gte` and `$lte`.
 * Throws `invalid`, naming the parameter, for operators that the subject does not take.
 */
export function compare(subject: Subject, value: unknown, path: string): Condition {
  if (!isObject(value)) return isOneOf({ subject, value, path })
  const kind = operatorsFor(subject)
  const known = { ...ANY, ...(kind === 'ordered' ? ORDERED : kind === 'text' ? TEXT : {}) }
  const conditions = Object.entries(value).map(([name, operand]) => {
    const bound = name === 'min' ? '$gte' : name === 'max' ? '$lte' : name
    const comparison = Object.hasOwn(known, bound) ? known[bound] : undefined
    if (comparison === undefined) throw unknownOperator(path, kind, name)
    return comparison({ subject, value: operand, path: `${path}[${name}]` })
  })
  if (conditions.length === 0) throw unknownOperator(path, kind, '')
  return allOf(conditions)
}

function unknownOperator(path: string, kind: keyof typeof OPERATORS, name: string): Error {
  const given = name === '' ? '' : `, not [${name.slice(0, 30)}]`
  return invalid(`${path} takes a value, several, or one of ${OPERATORS[kind].join(', ')}${given}.`)
}

/** All of some conditions. */
export function allOf(conditions: readonly Condition[]): Condition {
  const [only, other] = conditions
  return only !== undefined && other === undefined ? only : { kind: 'all', of: conditions }
}

function isOneOf({ subject, value, path }: Operand): Condition {
  const texts = textsOf(path, value)
  switch (subject.kind) {
    case 'visibility':
      return { kind: 'visibility', anyOf: texts.filter(isVisibility) }
    case 'text':
      return { kind: 'column', column: subject.column, anyOf: texts }
    case 'date': {
      const anyOf = texts.flatMap((text) => toInstant(text.trim()) ?? [])
      return anyOf.length > 0 ? { kind: 'column', column: subject.column, anyOf } : never
    }
    case 'schedule': {
      const anyOf = texts.flatMap((text) => millisecondsOf(text) ?? [])
      return anyOf.length > 0 ? { kind: 'scheduled', time: subject.time, anyOf } : never
    }
    case 'value': {
      const anyOf = texts.flatMap((text) => indexKeys(subject.field, text))
      return anyOf.length > 0 ? { kind: 'equals', name: subject.name, anyOf } : never
    }
    case 'related':
      return isRelatedTo(subject, texts)
  }
}

/** References to one or all of the named documents; `none` for no relation. */
function isRelatedTo({ name, targets, isAnd }: RelatedSubject, named: readonly string[]): Condition {
  const orNone = named.includes('none')
  const others = named.filter((text) => text !== 'none')
  if (named.length === 0 || (isAnd && orNone && others.length > 0)) return never
  if (targets.length === 0) return orNone ? always : never
  if (others.length === 0) return { kind: 'unrelated', name, targets }
  if (isAnd) return { kind: 'relatedToAll', name, targets, allOf: others }
  return { kind: 'related', name, targets, anyOf: others, ...(orNone ? { orNone } : {}) }
}

function isFilled(subject: Subject): Condition {
  switch (subject.kind) {
    case 'text':
      return not({ kind: 'column', column: subject.column, anyOf: [''] })
    case 'value':
      return { kind: 'filled', name: subject.name }
    case 'schedule':
      return { kind: 'scheduled', time: subject.time }
    case 'related':
      return subject.targets.length === 0 ? never : not({ ...subject, kind: 'unrelated' })
    default:
      return always
  }
}

/** A bound that the subject could never have finds nothing. */
function isWithin(operands: Bounds<Operand>): Condition {
  const [first] = Object.values(operands)
  const subject: Subject | undefined = first?.subject
  const keys = Object.entries(operands).map(([end, operand]) => [end, boundOf(operand)] as const)
  if (subject === undefined || keys.some(([, key]) => key === null)) return never
  // `as`: the ends are those of the operands, which are bounds.
  const bounds = Object.fromEntries(keys) as Bounds<string & number>
  if (subject.kind === 'date') return { kind: 'columnRange', column: subject.column, ...bounds }
  if (subject.kind === 'schedule') return { kind: 'scheduled', time: subject.time, ...bounds }
  return subject.kind === 'value' ? { kind: 'range', name: subject.name, ...bounds } : never
}

function boundOf({ subject, value, path }: Operand): string | number | null {
  const text = oneText(path, value)
  if (subject.kind === 'date') return toInstant(text.trim())
  if (subject.kind === 'schedule') return millisecondsOf(text)
  const [key, other] = subject.kind === 'value' ? boundKeys(subject.field, text) : []
  return key === undefined || other !== undefined ? null : key
}

function millisecondsOf(text: string): number | null {
  const instant = toInstant(text.trim())
  return instant === null ? null : Date.parse(instant)
}

function hasText({ subject, value, path }: Operand, is: 'beginning' | 'part'): Condition {
  const text = foldText(oneText(path, value))
  if (text === '') throw invalid(`${path} takes a text of one character or more.`)
  if (subject.kind === 'text') return { kind: 'columnText', column: subject.column, is, text }
  return subject.kind === 'value' ? { kind: 'text', name: subject.name, is, text } : never
}

function isTrue({ value, path }: Operand): boolean {
  const text = oneText(path, value)
  if (text === 'true' || text === '1') return true
  if (text === 'false' || text === '0') return false
  throw invalid(`${path} takes true or false.`)
}

const MOST_VALUES = 100
const MAX_LENGTH = 1000

/** Reads one value, or a list of alternatives. */
function textsOf(path: string, value: unknown): string[] {
  if (Array.isArray(value) && value.length > MOST_VALUES) throw invalid(`${path} takes at most ${MOST_VALUES} values.`)
  return (Array.isArray(value) ? value : [value]).map((one) => oneText(path, one))
}

/** Reads an outside value that must be one text, not too long. Throws `invalid` naming the parameter. */
function oneText(path: string, value: unknown): string {
  assertShort(path, value)
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw invalid(`${path} takes one value${isObject(value) ? ', not an object' : ''}.`)
}

/** Refuses a parameter that holds a longer text than a list is asked with (§0.5), names in brackets among them. */
export function assertShort(path: string, value: unknown): void {
  if (typeof value === 'string') {
    if (lengthOf(value) > MAX_LENGTH) throw invalid(`${path.slice(0, 60)} takes at most ${MAX_LENGTH} characters.`)
  } else if (typeof value === 'object' && value !== null) {
    for (const text of Object.entries(value).flat()) assertShort(path, text)
  }
}

/** The keys of a text in the index rows of a field; none when the field could never hold it. */
function indexKeys(field: Field, text: string): (string | number)[] {
  return indexValues(field, text).map((value) => value.number ?? value.text ?? '')
}

/** Like `indexKeys`, for the bound of a range: one of whole numbers need not be whole. */
function boundKeys(field: Field, text: string): (string | number)[] {
  return indexKeys(isNumber(field) ? { ...field, type: float } : field, text)
}

/** Whether lists filter by bounds of the field (§4.1): numbers, dates and times have them, choices and texts have not. */
function takesBounds(field: Field): boolean {
  return isNumber(field) || field.type.isOrdered === true
}

function isNumber({ type, options }: Field): boolean {
  return !type.choices && type.scalar?.(options) === 'number'
}

/** Whether values of the field are texts of any words, not one of some choices. */
export function isFreeText({ type, options }: Field): boolean {
  return type.choices === undefined && type.scalar?.(options) === 'text'
}

/** The text in the form in which the field stores it, within its limits or not. */
function indexValues(field: Field, text: string): IndexValue[] {
  const options = field.type.unlimited?.(field.options) ?? field.options
  const unbounded = { ...field, options }
  const { values, problems } = readFields(
    fieldsOf([unbounded]),
    { [field.name]: text },
    { newId: () => '', mayEdit: () => true, maxDepth: 1, before: null, trusted: true },
  )
  const value = storedValue(field, values)
  return problems.length > 0 || value === null || !field.type.index ? [] : [...field.type.index(value, options)]
}
