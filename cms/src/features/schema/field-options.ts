import type { FieldOptions } from 'quire-client'
import type { Views } from '../../engine/view.ts'
import { optionNames } from '../../model/compile/read-options.ts'
import type { Field } from '../../model/field-type/field-type.ts'
import { area, usesOf } from '../../model/fields/area.ts'
import { targetsOf } from '../../model/values/walk.ts'
import { asJson } from './as-json.ts'

/** What a reader of the schema has in other places, or needs not: how much of related documents is answered. */
const LEFT_OUT: ReadonlySet<string> = new Set(['fields', 'widgets', 'builders', 'withRelationships'])

/**
 * The options of a field type as declared, as JSON; of types and of other fields those that the caller may know of.
 * `neighbours` are the names of the fields beside it that he sees.
 */
export function optionsOf(field: Field, views: Views, neighbours: ReadonlySet<string>): FieldOptions {
  const { type, options } = field
  const declared = optionNames(type.options)
  const isDeclared = (name: string) => (declared.length === 0 || declared.includes(name)) && !LEFT_OUT.has(name)
  const shown = Object.fromEntries(Object.entries(options).filter(([name]) => isDeclared(name)))
  const { following, titleField, ...plain } = asJson(shown)
  const followed = [following]
    .flat()
    .map(String)
    .filter((name) => neighbours.has(name))
  const title = type.innerFields?.(options).byName.get(String(titleField))
  const choices = type.choices?.(options)
  return {
    ...plain,
    ...(followed.length > 0 && { following: followed }),
    ...(title && !views.hides(title) && { titleField: title.name }),
    ...(choices && { choices: choices.map(({ value, label }) => ({ value, label })) }),
    ...(type.relation && { withType: targetsOf(field).filter((name) => views.related(name) !== null) }),
    ...(type === area && { widgets: widgetsOf(field) }),
  }
}

function widgetsOf(field: Field): NonNullable<FieldOptions['widgets']> {
  const uses = [...usesOf(field).values()]
  return Object.fromEntries(uses.map(({ name, options }) => [name, asJson(options)]))
}
