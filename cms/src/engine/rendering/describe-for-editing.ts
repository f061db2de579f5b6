import type { JsonObject } from '../../base/json.ts'
import { oncePer } from '../../base/lazy.ts'
import type { Field } from '../../model/field-type/field-type.ts'
import { usesOf } from '../../model/fields/area.ts'
import type { AnswerArea } from './find-areas.ts'

/** Describes to editors how the area was declared: what they may put into it (§4.2b). */
export function describeForEditing({ field, area, declaredBy, path }: AnswerArea): void {
  if (area._edit !== true) return
  const { name, label } = field
  const choices = [...usesOf(field).values()].map((use) => ({ name: use.name, label: use.label }))
  Object.assign(area, {
    _aposAnnotated: true,
    field: { _id: path, name, type: 'area', label, options: optionsOf(field), moduleName: declaredBy, aposPath: name },
    options: optionsOf(field),
    choices,
  })
}

/** The options of an area: the same object for all answers. */
export const optionsOf = oncePer((field: Field): JsonObject => {
  // `as`: options were declared as JSON.
  const widgets = [...usesOf(field).values()].map((use) => [use.name, use.options as JsonObject])
  return { widgets: Object.fromEntries(widgets) }
})
