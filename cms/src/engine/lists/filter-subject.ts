import type { Field } from '../../model/field-type/field-type.ts'
import type { DateName, ScheduleTime } from '../../model/terms/document-times.ts'
import type { Condition, RelatedTarget } from '../../store/contract/store.ts'

/** The part of a document that a filter compares. */
export type Subject =
  | { readonly kind: 'visibility' }
  | { readonly kind: 'text'; readonly column: 'title' | 'slug' }
  | { readonly kind: 'date'; readonly column: DateName }
  /** Of the schedule of drafts. */
  | { readonly kind: 'schedule'; readonly time: ScheduleTime }
  /** The values that the index has under a name: of a field of the document, or of fields inside of it. */
  | { readonly kind: 'value'; readonly field: Field; readonly name: string }
  | RelatedSubject

/** The documents that a relationship leads to. */
export interface RelatedSubject {
  readonly kind: 'related'
  readonly name: string
  /** The related documents that the caller sees, by type. */
  readonly targets: readonly RelatedTarget[]
  /** All of the documents that are named, not any. */
  readonly isAnd: boolean
}

/** Makes the condition on a subject. */
export type Comparing = (subject: Subject) => Condition

/** The fields that the caller sees, by name. */
interface VisibleFields {
  field(name: string): Field | null
}

/** A relationship of the type that the caller sees, by its declared name; null when there is none. */
export function visibleRelationship(access: VisibleFields, name: string): Field | null {
  const field = access.field(name)
  return field?.type.relation === 'forward' ? field : null
}
