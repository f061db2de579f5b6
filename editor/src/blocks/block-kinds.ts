import type { FieldInfo, JsonObject, Schema, WidgetInfo } from 'quire-client'
import type { Group } from '../model/form.ts'

/** A type of block that an area offers. */
export interface BlockKind {
  readonly type: string
  readonly info: WidgetInfo
}

/** The types of blocks that an area offers, in the order of its declaration. */
export function kindsOf({ widgets }: Schema, field: FieldInfo): readonly BlockKind[] {
  return Object.keys(field.options.widgets ?? {}).flatMap((type) => {
    const info = Object.hasOwn(widgets, type) ? widgets[type] : undefined
    return info === undefined ? [] : [{ type, info }]
  })
}

/** The label of a block; of one of a type that there is no longer, the name of the type. */
export function labelOfBlock({ widgets }: Schema, block: JsonObject): string {
  const type = String(block.type ?? '')
  return (Object.hasOwn(widgets, type) ? widgets[type]?.label : undefined) ?? type
}

/** The type of a block; null where the area does not offer it. */
export function infoOfBlock({ widgets }: Schema, { widgetType }: Group): WidgetInfo | null {
  return widgetType === null ? null : (widgets[widgetType] ?? null)
}
