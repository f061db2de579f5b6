import { didYouMean } from '../../base/did-you-mean.ts'
import { invalid } from '../../base/errors.ts'
import { isObject, type UnknownObject } from '../../base/json.ts'
import type { TypeQuery } from '../../model/declared/type-query.ts'
import type { Field } from '../../model/field-type/field-type.ts'
import { DATES } from '../../model/terms/document-times.ts'
import { propertyNames } from '../../model/values/walk.ts'
import type { Condition } from '../../store/contract/store.ts'
import type { Context } from '../context.ts'
import type { TypeView } from '../view.ts'
import { visibleRelationship } from './filter-subject.ts'
import { allOf, assertShort, compare, OPERATORS, operatorsOf } from './operators.ts'
import { conditionOn, type Filtering } from './subjects.ts'

/** A list, and how much was compared for it so far. */
interface CountedFiltering extends Filtering {
  readonly compared: { count: number }
}

/**
 * The conditions that the parameters of a query ask for, by parameter (§4.1). A field wins over a built-in parameter of
 * the same name. A parameter that names a field which the caller does not see is ignored like an unknown one; one that
 * filters by a visible field in a way that it does not support is `invalid`.
 */
export function readFilters(ctx: Context, list: Filtering, query: UnknownObject): Map<string, Condition> {
  const filters = new Map<string, Condition>()
  const counted = { ...list, compared: { count: 0 } }
  for (const [name, value] of Object.entries(query)) {
    const condition = conditionFor(ctx, counted, name, value)
    if (condition) filters.set(name, condition)
    else refuseUnusable(list.access, name, value)
  }
  return filters
}

function conditionFor(ctx: Context, list: CountedFiltering, name: string, value: unknown): Condition | null {
  const condition = countedCondition(ctx, list, { name, value, path: name })
  if (condition !== null) return condition
  if (name === 'where') return readWhere(ctx, list, value)
  return siteQuery(ctx, list, name, value)
}

/** A value that something is compared with, and the parameter that says so. */
interface Compared {
  readonly name: string
  readonly value: unknown
  readonly path: string
}

/** The condition on what a name means; null for nothing. It counts for each type that relationships lead to. */
function countedCondition(ctx: Context, list: CountedFiltering, { name, value, path }: Compared): Condition | null {
  const size = sizeOf(value)
  return conditionOn(ctx, list, name, (subject) => {
    count(list, path, subject.kind === 'related' ? size * Math.max(1, subject.targets.length) : size)
    return compare(subject, value, path)
  })
}

/** How many operators and values there are; a list is one. */
function sizeOf(value: unknown): number {
  if (!isObject(value)) return 1
  return Object.values(value).reduce<number>((sum, one) => sum + sizeOf(one), 1)
}

/** The most that the filters of one request may compare: each value is a part of a statement. */
const MOST_COMPARED = 400

function count({ compared }: CountedFiltering, path: string, size: number): void {
  compared.count += size
  if (compared.count <= MOST_COMPARED) return
  throw invalid(
    `${path.slice(0, 60)} makes this list compare more than ${MOST_COMPARED} things, each once for every type that relationships lead to. Use fewer conditions.`,
  )
}

/** A site's own query may filter by any field: its author decides what it reveals. */
function siteQuery(ctx: Context, list: CountedFiltering, name: string, value: unknown): Condition | null {
  const query: TypeQuery | undefined = list.access.type.queries.get(name)
  if (!query) return null
  assertShort(name, value)
  return readWhere(ctx, { ...list, isTrusted: true }, query.where(value))
}

/**
 * A parameter that names a visible field in any way is never ignored: the caller would mistake the whole list for
 * matches.
 */
function refuseUnusable(access: TypeView, name: string, value: unknown): void {
  const stem = stemOf(name)
  const isBare = stem === name && typeof value === 'string'
  if (isBare && stem === 'archived') return
  const field = fieldMeantBy(access, stem)
  const brackets = stem === name && !isBare ? '[…]' : ''
  if (field) throw invalid(`This list cannot be filtered by ${name.slice(0, 60)}${brackets}. ${usesOf(field)}`)
  if (access.showsDate(stem)) throw invalid(`This list takes ${stem}, ${stem}[min] and ${stem}[max], nothing deeper.`)
}

/** The first step of the name of a parameter: `price` of `price[$gte]`, `address` of `address.city`. */
function stemOf(name: string): string {
  return /^[^.[]*/.exec(name)?.[0] ?? ''
}

/** Whether a parameter names a field or date that the caller sees: lists filter by it, or refuse it. */
export function namesVisible(access: TypeView, name: string): boolean {
  const stem = stemOf(name)
  const isField = [stem, stem.replace(/And$/, '')].some((one) => fieldMeantBy(access, one) !== null)
  return isField || access.showsDate(stem)
}

/** Returns the visible field that a parameter is named after: a stored name of a relationship, or `And`, is enough. */
function fieldMeantBy(access: TypeView, name: string): Field | null {
  const exact = access.field(name) ?? visibleRelationship(access, `_${name}`)
  if (exact) return exact
  const stored = access.fields.find((field) => field.type.relation === 'forward' && propertyNames(field).includes(name))
  return stored ?? (name.endsWith('And') ? access.field(name.slice(0, -'And'.length)) : null)
}

/** Describes how a list can be filtered by a field. */
function usesOf(field: Field): string {
  const { name, label, type, options } = field
  if (type.relation === 'forward') {
    return `Use ${name} with ids, ${name.slice(1)} with slugs, either with And, or ${name}.<field> of the related documents.`
  }
  if (type.relation === 'reverse') return `Use ${name}.<field> of the related documents.`
  if (type.index)
    return `Use ${name} with a value, several, or ${OPERATORS[operatorsOf(field)].join(', ')} in brackets.`
  const inner = type.innerFields?.(options) === undefined && type.children === undefined
  return inner
    ? `${label} is not a field that lists can be filtered by.`
    : `Use ${name}.<field>, where that field is declared with filterable: true.`
}

const MOST_CONDITIONS = 50
const MOST_GROUPS = 4
/** Characters of JSON. */
const MAX_LENGTH = 20_000

/**
 * The parameter `where` (§4.1): conditions by name, and groups of them under `$and`, `$or` and `$not`, as JSON or in
 * brackets. Throws `invalid` with the path of what is wrong, before anything is looked up.
 */
function readWhere(ctx: Context, list: CountedFiltering, value: unknown): Condition {
  return new Where(ctx, list).group(parsed(value), 'where', 0)
}

function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value
  if (value.length > MAX_LENGTH) throw invalid(`where takes at most ${MAX_LENGTH} characters.`)
  try {
    return JSON.parse(value)
  } catch {
    throw invalid('where is not valid JSON. It looks like {"price":{"$gte":5}}, or where[price][$gte]=5.')
  }
}

/** Reads one `where`, and counts its conditions. */
class Where {
  readonly #ctx: Context
  readonly #list: CountedFiltering
  #count = 0

  constructor(ctx: Context, list: CountedFiltering) {
    this.#ctx = ctx
    this.#list = list
  }

  /** An object of conditions, all of which hold. */
  group(value: unknown, path: string, depth: number): Condition {
    if (!isObject(value)) throw invalid(`${path} takes an object: conditions by name of the field.`)
    if (depth > MOST_GROUPS) throw invalid(`${path} is nested too deeply: at most ${MOST_GROUPS} groups.`)
    count(this.#list, path, 1)
    return allOf(Object.entries(value).map(([name, one]) => this.#entry(name, one, { path: `${path}.${name}`, depth })))
  }

  #entry(name: string, value: unknown, { path, depth }: { readonly path: string; readonly depth: number }): Condition {
    if (name === '$not') return { kind: 'not', of: this.group(value, path, depth + 1) }
    if (name !== '$and' && name !== '$or') return this.#comparison(name, value, path)
    if (!Array.isArray(value)) throw invalid(`${path} takes a list of conditions.`)
    const of = value.map((one, index) => this.group(one, `${path}.${index}`, depth + 1))
    return { kind: name === '$or' ? 'any' : 'all', of }
  }

  #comparison(name: string, value: unknown, path: string): Condition {
    this.#count += 1
    if (this.#count > MOST_CONDITIONS) throw invalid(`where takes at most ${MOST_CONDITIONS} conditions.`)
    const condition = countedCondition(this.#ctx, this.#list, { name, value, path })
    if (condition === null) throw this.#unknown(name, path)
    return condition
  }

  #unknown(name: string, path: string): Error {
    const { access } = this.#list
    const dates = DATES.filter((date) => access.showsDate(date))
    const names = [...access.fields.map((field) => field.name), ...dates]
    const hint = didYouMean(name.slice(0, 60), names) || '.'
    return invalid(`${path.slice(0, 200)} is nothing that this list can be filtered by${hint}`)
  }
}
