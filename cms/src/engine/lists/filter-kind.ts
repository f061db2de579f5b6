import type { Field } from '../../model/field-type/field-type.ts'
import type { Viewer } from '../permissions.ts'
import { type CopyScope, scopeOf, type TypeView } from '../view.ts'
import type { Subject } from './filter-subject.ts'
import { operatorsFor } from './operators.ts'
import { isFilterableInside, subjectOf } from './subjects.ts'

/** How lists are filtered by a field: by some of its values, by bounds, by parts of a text … */
type FilterKind = 'choices' | 'range' | 'text' | 'boolean' | 'relationship'

/** How lists of a type can be filtered by one of its fields; null where they cannot, or not by this caller. */
export function filterKind(ctx: Viewer & CopyScope, access: TypeView, field: Field): FilterKind | null {
  const { visibility } = access
  const view = { ...scopeOf(access.type, ctx.locale, ctx.mode), archived: false, visibility }
  const subject = subjectOf(ctx, { access, view }, field.name)
  return subject && kindOf(subject)
}

/** How lists can be filtered by a field inside of others; null where they cannot. */
export function innerFilterKind(field: Field): FilterKind | null {
  return isFilterableInside(field) ? kindOf({ kind: 'value', field, name: field.name }) : null
}

function kindOf(subject: Subject): FilterKind | null {
  if (subject.kind === 'related') return subject.targets.length > 0 ? 'relationship' : null
  const operators = operatorsFor(subject)
  if (operators === 'ordered') return 'range'
  if (operators === 'text') return 'text'
  return subject.kind === 'value' && subject.field.type.scalar?.(subject.field.options) === 'boolean'
    ? 'boolean'
    : 'choices'
}
