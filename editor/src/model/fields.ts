import type { FieldInfo, Json, JsonObject, Schema } from 'quire-client'
import { isObject, own, without } from './json.ts'

/** Where the values of a field lie: itself, in an object with fields, in a list of items with fields. */
export type FieldKind = 'leaf' | 'object' | 'items'

/** How the editor treats a field. Types that it does not know are leaves. */
export function kindOf(field: FieldInfo): FieldKind {
  if (field.type === 'area') return 'items'
  if (field.fields === undefined) return 'leaf'
  if (field.type === 'array') return 'items'
  return field.type === 'object' ? 'object' : 'leaf'
}

/** Whether the caller may not change it: locked for the role, read-only, or computed by the service. */
export function isLocked(field: FieldInfo): boolean {
  return field.locked !== undefined || field.readOnly === true || field.type === 'relationshipReverse'
}

/** Finds the fields of items. */
export interface Shapes {
  /** The fields of an item, or of a widget as this area allows it; null for a widget that is not allowed here. */
  ofItem(field: FieldInfo, item: JsonObject): readonly FieldInfo[] | null
}

/** The shapes of a site's items. */
export function shapesOf({ widgets }: Pick<Schema, 'widgets'>): Shapes {
  const known = new WeakMap<FieldInfo, Map<string, readonly FieldInfo[] | null>>()
  const read = (field: FieldInfo, type: string) => {
    const allowed = isObject(field.options.widgets) ? own(field.options.widgets, type) : undefined
    const widget = Object.hasOwn(widgets, type) ? widgets[type] : undefined
    if (allowed === undefined || widget === undefined) return null
    return [...widget.fields, ...(widget.styles ?? [])].map((one) => asAllowed(one, allowed))
  }
  return {
    ofItem(field, item) {
      if (field.type === 'array') return field.fields ?? null
      const type = String(own(item, 'type'))
      const ofField = known.get(field) ?? new Map<string, readonly FieldInfo[] | null>()
      known.set(field, ofField)
      const fields = ofField.has(type) ? (ofField.get(type) ?? null) : read(field, type)
      ofField.set(type, fields)
      return fields
    },
  }
}

/** Areas set the options of rich text in their widgets. */
function asAllowed(field: FieldInfo, allowed: Json): FieldInfo {
  if (field.type !== 'richText' || !isObject(allowed)) return field
  return { ...field, options: { ...field.options, ...allowed } }
}

/** The names under which a field lies in its holder: `_topics` also as `topicsIds` and `topicsFields`. */
export function propertiesOf(field: FieldInfo): readonly string[] {
  if (field.type !== 'relationship') return [field.name]
  const stem = field.name.replace(/^_/, '')
  return [field.name, `${stem}Ids`, `${stem}Fields`]
}

/**
 * The value of a field in its holder; null for none. A relationship is the list of its documents, with `_id` and
 * `_fields`; of those that the service knows but did not show nothing else is there.
 */
export function readField(field: FieldInfo, holder: JsonObject): Json {
  if (field.type !== 'relationship') return own(holder, field.name) ?? null
  const [name, idsName = '', fieldsName = ''] = propertiesOf(field)
  const shown = own(holder, name ?? '')
  const documents = Array.isArray(shown) ? shown : []
  const ids = own(holder, idsName)
  if (!Array.isArray(ids)) return documents
  const byId = new Map(documents.map((one) => [docIdOf(one), one]))
  const said = own(holder, fieldsName)
  const named = ids.map((id) => byId.get(String(id)) ?? { _id: id, _fields: saidOf(said, String(id)) })
  const others = documents.filter((one) => !ids.includes(docIdOf(one)))
  return [...named, ...others]
}

function saidOf(said: Json | undefined, id: string): Json {
  return (isObject(said) ? own(said, id) : undefined) ?? {}
}

/** The bare id of a related document: without locale and mode. */
export function docIdOf(document: Json): string {
  const id = isObject(document) ? (own(document, 'aposDocId') ?? own(document, '_id')) : document
  return String(id).split(':', 1)[0] ?? ''
}

/** A holder with another value of a field; undefined takes it out. */
export function writeField(field: FieldInfo, holder: JsonObject, value: Json | undefined): JsonObject {
  if (field.type !== 'relationship' && value !== undefined) return { ...holder, [field.name]: value }
  const others = without(holder, propertiesOf(field))
  return value === undefined ? others : { ...others, [field.name]: value }
}

/** A holder with a field as another holder has it. */
export function copyField(field: FieldInfo, holder: JsonObject, from: JsonObject): JsonObject {
  const names = propertiesOf(field)
  const given = names.flatMap((name) => (Object.hasOwn(from, name) ? [[name, from[name]] as const] : []))
  return { ...without(holder, names), ...Object.fromEntries(given) }
}

/** The items of an array or an area. */
export function itemsOf(value: Json | undefined): readonly JsonObject[] {
  const list = Array.isArray(value) ? value : isObject(value) ? own(value, 'items') : null
  return Array.isArray(list) ? list.filter(isObject) : []
}

/** An array or an area with other items. */
export function withItems(field: FieldInfo, value: Json | undefined, items: readonly JsonObject[]): Json {
  if (field.type === 'array') return items
  return isObject(value) ? { ...value, items } : { metaType: 'area', items }
}

/** The id of an item. */
export function idOf(item: JsonObject): string {
  return String(own(item, '_id'))
}
