import type { JsonObject } from '../../base/json.ts'
import type { Field } from '../../model/field-type/field-type.ts'
import { usesOf } from '../../model/fields/area.ts'
import type { AnswerArea } from './find-areas.ts'

/** Describes to editors how the area was declared: what they may put into it (§4.2b). */
export function describeForEditing(found: AnswerArea): void {
  const { field, area, declaredBy, path } = found
  if (area._edit !== true) return
  const { name, label } = field
  const choices = [...usesOf(field).values()].map((use) => ({ name: use.name, label: use.label }))
  Object.assign(area, {
    _aposAnnotated: true,
    field: { _id: path, name, type: 'area', label, options: optionsOf(found), moduleName: declaredBy, aposPath: name },
    options: optionsOf(found),
    choices,
  })
}

const optionsByField = new WeakMap<Field, JsonObject>()

/** The options of an area: the same object for all answers. */
export function optionsOf({ field }: AnswerArea): JsonObject {
  const known = optionsByField.get(field)
  if (known !== undefined) return known
  // `as`: options were declared as JSON.
  const widgets = [...usesOf(field).values()].map((use) => [use.name, use.options as JsonObject])
  const made = { widgets: Object.fromEntries(widgets) }
  optionsByField.set(field, made)
  return made
}
