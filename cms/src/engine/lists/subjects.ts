import { invalid } from '../../base/errors.ts'
import type { Field, Fields } from '../../model/field-type/field-type.ts'
import { area, usesOf } from '../../model/fields/area.ts'
import { isDateName } from '../../model/terms/document-times.ts'
import type { Condition, RelatedTarget, View } from '../../store/contract/store.ts'
import type { Context } from '../context.ts'
import type { Viewer } from '../permissions.ts'
import { type CopyScope, relatedAccesses, type TypeView, viewsOf } from '../view.ts'
import type { Comparing, RelatedSubject, Subject } from './filter-subject.ts'

/** The list that is filtered: what of its type the caller sees, and which documents. */
export interface Filtering {
  readonly access: TypeView
  readonly view: View
  /** The filter comes from the site's own query, not from the caller. */
  readonly isTrusted?: true
  /** How many relationships lead here from the list that was asked for. */
  readonly hops?: number
}

/** The most relationships on the way to a value. */
const MOST_HOPS = 2

/**
 * The condition on what a name of a filter means for the caller (§4.1): a field or a date, a field inside of a field
 * (`address.city`), or one of related documents (`_speakers._city.title`). Null for what does not exist, or not for this caller.
 */
export function conditionOn(ctx: Context, list: Filtering, path: string, comparing: Comparing): Condition | null {
  const steps = path.split('.')
  const [first = ''] = steps
  const field = steps.length === 1 ? null : fieldOf(list, first)
  if (field?.type.relation !== undefined)
    return onRelated(ctx, list, { field, rest: steps.slice(1).join('.') }, comparing)
  const subject = steps.length === 1 ? subjectOf(ctx, list, first) : field && innerSubject(ctx, field, steps)
  return subject && comparing(subject)
}

/** A field of the type by its declared name; a site's own query reaches fields that the caller does not see. */
function fieldOf({ access, isTrusted }: Filtering, name: string): Field | null {
  return isTrusted ? (access.type.fields.byName.get(name) ?? null) : access.field(name)
}

/** The subject that a name without dots stands for; null for one that does not exist, or not for the caller. */
export function subjectOf(ctx: Viewer & CopyScope, list: Filtering, name: string): Subject | null {
  if (name === 'archived') return null
  const field = fieldOf(list, name)
  if (field?.type.index) {
    if (name === 'visibility') return { kind: name }
    return name === 'title' || name === 'slug' ? { kind: 'text', column: name } : { kind: 'value', field, name }
  }
  const isDate = list.isTrusted ? isDateName(name) : list.access.showsDate(name)
  if (isDate && isDateName(name)) return { kind: 'date', column: name }
  if (list.view.mode === 'draft' && list.access.showsSchedule(name)) return { kind: 'schedule', time: name }
  return relatedSubject(ctx, list, name)
}

/**
 * `_rel`, `rel`, `_relAnd`, `relAnd`: related documents by id or slug, any or all of them. Of related types whose slugs the
 * caller does not see, `rel` takes ids too.
 */
function relatedSubject(ctx: Viewer & CopyScope, list: Filtering, name: string): RelatedSubject | null {
  const isAnd = name.endsWith('And') && !list.access.type.fields.byName.has(name)
  const stem = isAnd ? name.slice(0, -'And'.length) : name
  const field = fieldOf(list, stem.startsWith('_') ? stem : `_${stem}`)
  if (field?.type.relation !== 'forward' || viewsOf(ctx).hides(field)) return null
  const targets = relatedAccesses(ctx, field, list.view).map(({ shown, view }): RelatedTarget => {
    const seesSlug = list.isTrusted === true || shown.field('slug') !== null
    return { view, by: seesSlug && !stem.startsWith('_') ? 'slug' : 'id' }
  })
  return { kind: 'related', name: field.name, targets, isAnd }
}

interface RelatedPath {
  readonly field: Field
  /** The path from the related documents on. */
  readonly rest: string
}

/** The condition on related documents of each type that the caller sees, and that has what is asked for. */
function onRelated(
  ctx: Context,
  list: Filtering,
  { field, rest }: RelatedPath,
  comparing: Comparing,
): Condition | null {
  const related = viewsOf(ctx).hides(field) ? [] : relatedAccesses(ctx, field, list.view)
  if (related.length === 0) return null
  const hops = (list.hops ?? 0) + 1
  if (hops > MOST_HOPS) throw invalid(`Filters follow at most ${MOST_HOPS} relationships; ${field.name} is one more.`)
  const reverseOf = reverseOfField(field)
  const direction = reverseOf === null ? 'forward' : 'backward'
  const conditions = related.flatMap(({ shown, view: target }): Condition[] => {
    if (reverseOf !== null && shown.field(reverseOf) === null) return []
    const of = conditionOn(ctx, { ...list, access: shown, view: target, hops }, rest, comparing)
    return of === null ? [] : [{ kind: 'through', direction, name: reverseOf ?? field.name, target, of }]
  })
  const [only, other] = conditions
  return other === undefined ? (only ?? null) : { kind: 'any', of: conditions }
}

/** The relationship that a reverse one follows back; null for all others. */
function reverseOfField({ options }: Field): string | null {
  return 'reverseOf' in options && typeof options.reverseOf === 'string' ? options.reverseOf : null
}

/** A field inside of an object, an array or an area (by the type of the widget) that is declared `filterable`. */
function innerSubject(ctx: Context, field: Field, steps: readonly string[]): Subject | null {
  const inner = innerField(ctx, field, steps.slice(1))
  return inner !== null && isFilterableInside(inner) ? { kind: 'value', field: inner, name: steps.join('.') } : null
}

/** Whether lists filter by a field that lies inside of another one. */
export function isFilterableInside({ filterable, type }: Field): boolean {
  return filterable && type.index !== undefined
}

function innerField(ctx: Context, field: Field, steps: readonly string[]): Field | null {
  const [step, ...rest] = steps
  if (step === undefined) return field
  const fields = field.type === area ? usesOf(field).get(step)?.fields : innerFieldsOf(field)
  const found = fields?.byName.get(field.type === area ? (rest.shift() ?? '') : step)
  return found === undefined || viewsOf(ctx).hides(found) ? null : innerField(ctx, found, rest)
}

/** The fields inside of a field. Those of a relationship belong to the relation, and so not to this document. */
function innerFieldsOf({ type, options }: Field): Fields | undefined {
  return type.relation === undefined ? type.innerFields?.(options) : undefined
}
