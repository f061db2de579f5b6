import type { Field } from './fields/field-type.ts'

type Named = Pick<Field, 'name' | 'type'>

/** The names under which a field's value is stored in its holder: `_topics` lies in `topicsIds` and `topicsFields`. */
export function propertyNames({ name, type }: Named): readonly string[] {
  return type.property?.names(name) ?? [name]
}

/** True when one of the names is the field's own, or one under which its value is stored. */
export function isNamedIn(field: Named, names: { has(name: string): boolean }): boolean {
  return names.has(field.name) || propertyNames(field).some((name) => names.has(name))
}
