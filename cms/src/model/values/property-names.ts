import type { FieldType } from '../field-type/field-type.ts'

/** A field, or the parts of one needed here: its name, and how its type stores values. */
interface Named {
  readonly name: string
  readonly type: Pick<FieldType, 'property'>
}

/** The names under which a field's value is stored in its holder: `_topics` lies in `topicsIds` and `topicsFields`. */
export function propertyNames({ name, type }: Named): readonly string[] {
  return type.property?.names(name) ?? [name]
}

/** True when one of the names is the field's own, or one under which its value is stored. */
export function isNamedIn(field: Named, names: { has(name: string): boolean }): boolean {
  return names.has(field.name) || propertyNames(field).some((name) => names.has(name))
}
