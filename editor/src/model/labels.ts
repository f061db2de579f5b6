import type { FieldInfo, JsonObject, Schema } from 'quire-client'
import type { Operation, Path } from './form.ts'
import { own } from './json.ts'
import type { Holder, Places } from './places.ts'

/** Names the fields and widgets of a site. */
export type Widgets = Schema['widgets']

/** The label of the widget, or of the list that an item is in. */
export function labelOfItem(widgets: Widgets, list: FieldInfo, item: JsonObject): string {
  const type = String(own(item, 'type') ?? '')
  const widget = list.type === 'area' && Object.hasOwn(widgets, type) ? widgets[type] : undefined
  return widget?.label ?? list.label
}

/** The label of what an operation changes; empty where its place is gone. */
export function labelOfOperation(widgets: Widgets, places: Places, at: Holder, operation: Operation): string {
  const field = places.field(at, operation.path)?.field
  if (field === undefined) return ''
  if (operation.kind === 'set') return field.label
  const item = operation.kind === 'move' ? places.item(at, pathOfOperation(operation)) : operation.value
  return labelOfItem(widgets, field, item ?? {})
}

/** The path of the field or item that an operation changes. */
export function pathOfOperation(operation: Operation): Path {
  return operation.kind === 'set' ? operation.path : [...operation.path, operation.id]
}
