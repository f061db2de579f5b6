import { invalid } from '../../base/errors.ts'
import { isObject } from '../../base/json.ts'
import { lengthOf } from '../../base/text.ts'
import type { FieldFilter, TypeQuery } from '../../model/declared/type-query.ts'
import type { Field } from '../../model/field-type/field-type.ts'
import { toInstant } from '../../model/fields/moment.ts'
import { docIdOf, isVisibility, type Visibility } from '../../model/terms/document.ts'
import { targetOf } from '../../model/values/target.ts'
import type { Column, Condition, View } from '../../store/contract/store.ts'
import type { Context } from '../context.ts'
import { isDateColumn, relatedAccess, type TypeView, viewsOf } from '../view.ts'
import { boundKeys, indexKeys, takesBounds } from './index-keys.ts'

/** The list that is filtered: what of its type the caller sees, and which documents. */
interface Filtering {
  readonly access: TypeView
  readonly view: View
  /** The filter comes from the site's own query, not from the caller. */
  readonly isTrusted?: true
}

/**
 * The conditions that the parameters of a query ask for, by parameter (§4.1). A field wins over a built-in parameter of
 * the same name. A parameter that names a field which the caller does not see is ignored like an unknown one; one that
 * filters by a visible field in a way that it does not support is `invalid`.
 */
export function readFilters(
  ctx: Context,
  list: Filtering,
  query: { readonly [name: string]: unknown },
): Map<string, readonly Condition[]> {
  const filters = new Map<string, readonly Condition[]>()
  for (const [name, value] of Object.entries(query)) {
    const conditions = conditionsFor(ctx, list, name, value)
    if (conditions) filters.set(name, conditions)
    else refuseUnusable(list.access, name, value)
  }
  return filters
}

/** A relationship of the type that the caller sees, by its declared name; null when there is none. */
export function visibleRelationship(access: TypeView, name: string): Field | null {
  const field = access.field(name)
  return field?.type.relation === 'forward' ? field : null
}

/**
 * A visible field's name followed by a dot or brackets is never ignored, nor is that of a reverse relationship: the
 * caller would mistake the whole list for matches.
 */
function refuseUnusable(access: TypeView, name: string, value: unknown): void {
  const stem = /^[^.[]*/.exec(name)?.[0] ?? ''
  const isBare = stem === name && typeof value === 'string'
  const named = access.field(stem)
  if (isBare && named?.type.relation !== 'reverse') return
  const field = named ?? visibleRelationship(access, `_${stem}`)
  const brackets = stem === name && !isBare ? '[…]' : ''
  if (field) throw invalid(`This list cannot be filtered by ${name.slice(0, 60)}${brackets}. ${usesOf(field)}`)
  if (access.showsDate(stem)) throw invalid(`This list takes ${stem}, ${stem}[min] and ${stem}[max], nothing deeper.`)
}

/** How a list can be filtered by a field. */
function usesOf({ name, label, type }: Field): string {
  if (type.relation === 'forward') return `Use ${name} with ids, ${name.slice(1)} with slugs, or either with And.`
  return type.index ? `Use ${name} with a value or several.` : `${label} is not a field that lists can be filtered by.`
}

function conditionsFor(ctx: Context, list: Filtering, name: string, value: unknown): readonly Condition[] | null {
  const field = list.access.field(name)
  if (field?.type.index && name !== 'archived') {
    // By the field, not by the value: else a value that it never has would be answered, and one that it has refused.
    if (isObject(value) && !takesBounds(field)) throw withoutBounds(name)
    return [valueCondition(field, name, value)]
  }
  if (list.access.showsDate(name)) return [dateCondition(name, value)]
  return relationshipConditions(ctx, list, name, value) ?? queryConditions(ctx, list, name, value)
}

function valueCondition(field: Field, name: string, value: unknown): Condition {
  if (name === 'visibility') {
    return { kind: 'visibility', anyOf: textsOf(name, value).filter(isVisibility) satisfies Visibility[] }
  }
  if (name === 'title' || name === 'slug') return { kind: 'column', column: name, anyOf: textsOf(name, value) }
  if (isObject(value)) return rangeCondition(field, name, value)
  const anyOf = textsOf(name, value).flatMap((text) => indexKeys(field, text))
  return anyOf.length > 0 ? { kind: 'equals', name, anyOf } : { kind: 'never' }
}

function rangeCondition(field: Field, name: string, value: { readonly [name: string]: unknown }): Condition {
  const { min, max } = boundsOf(name, value)
  const low = min === undefined ? [] : boundKeys(field, min)
  const high = max === undefined ? [] : boundKeys(field, max)
  if ([...low, ...high].some((key) => typeof key === 'string')) throw withoutBounds(name)
  const isUnsatisfiable = (min !== undefined && low.length !== 1) || (max !== undefined && high.length !== 1)
  if (isUnsatisfiable) return { kind: 'never' }
  return { kind: 'range', name, ...bound('min', low[0]), ...bound('max', high[0]) }
}

function withoutBounds(name: string): Error {
  return invalid(`${name} takes one or more values, not bounds.`)
}

function dateCondition(column: Column, value: unknown): Condition {
  if (!isObject(value)) {
    const anyOf = textsOf(column, value).flatMap((text) => toInstant(text.trim()) ?? [])
    return anyOf.length > 0 ? { kind: 'column', column, anyOf } : { kind: 'never' }
  }
  const { min, max } = boundsOf(column, value)
  const low = min === undefined ? undefined : toInstant(min.trim())
  const high = max === undefined ? undefined : toInstant(max.trim())
  if (low === null || high === null) return { kind: 'never' }
  return { kind: 'columnRange', column, ...bound('min', low), ...bound('max', high) }
}

function bound<Name extends string, Value>(name: Name, value: Value | undefined) {
  // `as`: a computed key loses its literal name.
  return (value === undefined ? {} : { [name]: value }) as { [Key in Name]?: Value }
}

function boundsOf(name: string, value: { readonly [name: string]: unknown }): { min?: string; max?: string } {
  const unknown = Object.keys(value).find((key) => key !== 'min' && key !== 'max')
  if (unknown !== undefined) throw invalid(`${name} takes one value, a list, or [min] and [max].`)
  const read = (key: 'min' | 'max') =>
    bound(key, value[key] === undefined ? undefined : oneText(`${name}[${key}]`, value[key]))
  return { ...read('min'), ...read('max') }
}

/** One value, or a list of alternatives. */
function textsOf(name: string, value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).map((one) => oneText(name, one))
}

/**
 * `_rel`, `rel`, `_relAnd`, `relAnd`: related documents by id or slug, any or all of them; `none` for no relation.
 * Where the caller does not see the slugs of the related type, `rel` takes ids too.
 */
function relationshipConditions(ctx: Context, list: Filtering, name: string, value: unknown): Condition[] | null {
  const { fields } = list.access.type
  const isAnd = name.endsWith('And') && !fields.byName.has(name)
  const stem = isAnd ? name.slice(0, -'And'.length) : name
  const fieldName = stem.startsWith('_') ? stem : `_${stem}`
  const field = list.isTrusted ? fields.byName.get(fieldName) : list.access.field(fieldName)
  if (field?.type.relation !== 'forward' || viewsOf(ctx).hides(field)) return null
  const named = textsOf(name, value)
  const related = relatedAccess(ctx, targetOf(field) ?? '', list.view)
  const seesSlug = related !== null && (list.isTrusted === true || related.shown.field('slug') !== null)
  const bySlug = seesSlug && !stem.startsWith('_')
  return relatedConditions(field.name, { target: related?.view ?? null, by: bySlug ? 'slug' : 'id', named, isAnd })
}

/** The documents that a relationship is filtered by. */
interface RelatedFilter {
  /** The documents of the related type that the caller sees; null for none. */
  readonly target: View | null
  readonly by: 'id' | 'slug'
  /** Ids or slugs, and `none`. */
  readonly named: readonly string[]
  /** All of them, not any. */
  readonly isAnd: boolean
}

/** That a document points to one of those named, or to all of them. None where that is true of all documents. */
function relatedConditions(name: string, { target, by, named, isAnd }: RelatedFilter): Condition[] {
  const orNone = named.includes('none')
  const others = named.filter((text) => text !== 'none')
  if (named.length === 0 || (isAnd && orNone && others.length > 0)) return [{ kind: 'never' }]
  if (!target) return orNone ? [] : [{ kind: 'never' }]
  if (others.length === 0) return [{ kind: 'unrelated', name, target }]
  const values = by === 'id' ? others.map((text) => docIdOf(text) ?? '') : others
  if (isAnd) return [{ kind: 'relatedToAll', name, target, by, allOf: values }]
  return [{ kind: 'related', name, target, by, anyOf: values, ...(orNone ? { orNone } : {}) }]
}

function queryConditions(ctx: Context, list: Filtering, name: string, value: unknown): Condition[] | null {
  const query: TypeQuery | undefined = list.access.type.queries.get(name)
  if (!query) return null
  assertShort(name, value)
  return Object.entries(query.where(value)).flatMap(([name, filter]) => queryFilter(ctx, list, name, filter))
}

/** A site's own query may filter by any field: its author decides what it reveals. */
function queryFilter(ctx: Context, list: Filtering, name: string, filter: FieldFilter): Condition[] {
  const given = isObject(filter)
    ? mapValues(filter, String)
    : Array.isArray(filter)
      ? filter.map(String)
      : String(filter)
  if (isDateColumn(name)) return [dateCondition(name, given)]
  const field = list.access.type.fields.byName.get(name)
  if (field?.type.index) return [valueCondition(field, name, given)]
  return relationshipConditions(ctx, { ...list, isTrusted: true }, name, given) ?? [{ kind: 'never' }]
}

function mapValues(values: object, change: (value: unknown) => string): { [name: string]: string } {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]))
}

const MAX_LENGTH = 1000

/** Refuses a parameter that holds a longer text than a list is asked with (§0.5), names in brackets among them. */
export function assertShort(name: string, value: unknown): void {
  if (typeof value === 'string') {
    if (lengthOf(value) > MAX_LENGTH) throw invalid(`${name.slice(0, 60)} takes at most ${MAX_LENGTH} characters.`)
  } else if (typeof value === 'object' && value !== null) {
    for (const text of Object.entries(value).flat()) assertShort(name, text)
  }
}

/** Reads an outside value that must be one text, not too long. Throws `invalid` naming the parameter. */
function oneText(name: string, value: unknown): string {
  assertShort(name, value)
  if (typeof value === 'string') return value
  throw invalid(`${name} takes one value${isObject(value) ? ', not an object' : ''}.`)
}
