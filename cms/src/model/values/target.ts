import type { Field } from '../field-type/field-type.ts'

/** The type that a relationship leads to, in either direction; null for other fields. */
export function targetOf(field: Pick<Field, 'type' | 'options'>): string | null {
  if (field.type.relation === undefined) return null
  // `as`: both relationship types declare `withType`; the compiler has replaced its prefix.
  return (field.options as { readonly withType: string }).withType
}
