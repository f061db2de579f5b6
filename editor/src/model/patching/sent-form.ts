import type { FieldInfo, Json, JsonObject } from 'quire-client'
import { isLocked, itemsOf, kindOf, propertiesOf, readField, type Shapes, withItems } from '../fields.ts'
import { isObject, own, sameJson } from '../json.ts'

/**
 * A value as a body sends it: of related documents `_id` and `_fields`, of files what names them, of items nothing that
 * the caller may not write, and nothing that the service only answers. What the editor does not know is sent as it is.
 */
export function sentValue(shapes: Shapes, field: FieldInfo, value: Json): Json {
  if (value === null) return null
  switch (kindOf(field)) {
    case 'object':
      return isObject(value) ? sentHolder(shapes, field.fields ?? [], value) : value
    case 'items':
      return withItems(
        field,
        value,
        itemsOf(value).map((item) => sentItem(shapes, field, item)),
      )
    case 'leaf':
      return sentLeaf(shapes, field, value)
  }
}

/** An item, or a widget, as a body sends it. */
export function sentItem(shapes: Shapes, list: FieldInfo, item: JsonObject): JsonObject {
  return sentHolder(shapes, shapes.ofItem(list, item) ?? [], item)
}

/** Whether a body would send the same for two values. */
export function isSameSent(shapes: Shapes, field: FieldInfo, one: Json, other: Json): boolean {
  return one === other || sameJson(sentValue(shapes, field, one), sentValue(shapes, field, other))
}

/** Whether a body would send the same for two items. */
export function isSameItem(shapes: Shapes, list: FieldInfo, one: JsonObject, other: JsonObject): boolean {
  return one === other || sameJson(sentItem(shapes, list, one), sentItem(shapes, list, other))
}

function sentHolder(shapes: Shapes, fields: readonly FieldInfo[], holder: JsonObject): JsonObject {
  const known = new Set(fields.flatMap(propertiesOf))
  const others = Object.entries(holder).filter(([name]) => name === '_id' || !(known.has(name) || name.startsWith('_')))
  const written = fields.filter((field) => !isLocked(field) && isGiven(field, holder))
  const values = written.map((field) => [field.name, sentValue(shapes, field, readField(field, holder))] as const)
  return { ...Object.fromEntries(others), ...Object.fromEntries(values) }
}

/** A field that is absent gets its default; passwords are never answered, and stay. */
function isGiven(field: FieldInfo, holder: JsonObject): boolean {
  return propertiesOf(field).some((name) => own(holder, name) !== undefined)
}

function sentLeaf(shapes: Shapes, field: FieldInfo, value: Json): Json {
  if (field.type === 'relationship' && Array.isArray(value)) {
    return value.map((document) => sentRelated(shapes, field, document))
  }
  if (field.type !== 'attachment' || !isObject(value)) return value
  return Object.fromEntries(FILE_NAMES.flatMap((name) => (own(value, name) === undefined ? [] : [[name, value[name]]])))
}

/** The properties of a file that the service stores. */
const FILE_NAMES = ['_id', 'type', 'name', 'extension']

function sentRelated(shapes: Shapes, field: FieldInfo, document: Json): Json {
  if (!isObject(document)) return { _id: document, _fields: {} }
  const said = own(document, '_fields')
  const _fields = sentHolder(shapes, field.fields ?? [], isObject(said) ? said : {})
  return { _id: own(document, '_id') ?? own(document, 'aposDocId') ?? null, _fields }
}
