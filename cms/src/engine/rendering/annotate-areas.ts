import type { JsonObject } from '../../base/json.ts'
import type { Field } from '../../model/fields/field-type.ts'
import { resolveLinks } from '../../model/rich-text-links.ts'
import type { Context } from '../context.ts'
import { type FoundArea, FoundAreas, usesOf } from './find-areas.ts'
import { loadLinks } from './load-links.ts'

/** What an external front end is told of widget types that have no styles (§4.2b). */
const NO_STYLES = { aposStylesWrapper: false, aposStylesElements: '' }

/**
 * Makes the areas and widgets of answers ready for an external front end: options, fields and choices of areas, options
 * of widgets, and rich text with its links resolved where nobody edits.
 */
export async function annotateAreas(
  ctx: Context,
  documents: readonly unknown[],
  areas: readonly FoundArea[] = [],
): Promise<void> {
  const found = new FoundAreas(ctx.site)
  for (const document of documents) found.add(document)
  for (const area of areas) found.addArea(area)
  const links = await loadLinks(ctx, found)
  for (const area of [...found.outer, ...found.inner]) {
    area.area.options = optionsOf(area)
    describeForEditing(area)
  }
  annotateWidgets(found)
  for (const { widget } of found.widgets.get(`${ctx.site.namespace}/rich-text`) ?? []) {
    if (widget._edit !== true) widget.content = resolveLinks(String(widget.content ?? ''), links)
  }
}

function annotateWidgets({ widgets }: FoundAreas): void {
  for (const some of widgets.values()) {
    for (const { widget, options } of some) {
      widget._options = { ...(options as JsonObject), ...NO_STYLES, aposStylesAttributes: {} }
    }
  }
}

/** Tells editors how the area was declared: what they may put into it (§4.2b). */
export function describeForEditing(found: FoundArea): void {
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
function optionsOf({ field }: FoundArea): JsonObject {
  const known = optionsByField.get(field)
  if (known !== undefined) return known
  // `as`: options were declared as JSON.
  const widgets = [...usesOf(field).values()].map((use) => [use.name, use.options as JsonObject])
  const made = { widgets: Object.fromEntries(widgets) }
  optionsByField.set(field, made)
  return made
}
