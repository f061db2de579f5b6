import { isObject, own } from '../../base/json.ts'
import type { Field, Fields } from '../../model/field-type/field-type.ts'
import { usesOf } from '../../model/fields/area.ts'

type Values = { [name: string]: unknown }

/**
 * Sets `metaType` of all widgets in fields in their outside form, in place: a body may leave it out, and it tells a
 * widget from an array item with a field named `type`.
 */
export function markWidgets(fields: Fields, values: Values): void {
  for (const field of fields.list) {
    const value = own(values, field.name)
    if (field.type.strays) markItems(field, value)
    const inner = field.type.innerFields?.(field.options)
    if (inner === undefined || inner.list.length === 0) continue
    for (const holder of Array.isArray(value) ? value : [value]) markInner(field, inner, holder)
  }
}

function markItems(field: Field, area: unknown): void {
  const items = isObject(area) ? own(area, 'items') : undefined
  if (!Array.isArray(items)) return
  for (const widget of items.filter(isObject)) {
    widget.metaType = 'widget'
    const use = usesOf(field).get(String(own(widget, 'type')))
    if (use) markWidgets(use.fields, widget)
  }
}

function markInner(field: Field, inner: Fields, holder: unknown): void {
  const values = field.type.relation && isObject(holder) ? own(holder, '_fields') : holder
  if (isObject(values)) markWidgets(inner, values)
}
