import type { FieldInfo, Json, JsonObject } from 'quire-client'
import { itemsOf, kindOf, propertiesOf, readField, type Shapes, withItems } from './fields.ts'
import { isObject, own } from './json.ts'

const SHELL = ['_id', 'metaType', 'type']

/** Makes values of new items. */
export class Copies {
  readonly #shapes: Shapes
  readonly #newId: () => string

  constructor(shapes: Shapes, newId: () => string) {
    this.#shapes = shapes
    this.#newId = newId
  }

  /** An item of an array, or a widget of a type, with the defaults of its fields and a new id. */
  blank(list: FieldInfo, widgetType?: string): JsonObject {
    const shell: JsonObject =
      list.type === 'array' ? { metaType: 'arrayItem' } : { metaType: 'widget', type: widgetType ?? '' }
    return { _id: this.#newId(), ...shell, ...this.#blankFields(this.#shapes.ofItem(list, shell) ?? []) }
  }

  /**
   * A copy of an item, with new ids all the way down. What the service adds to answers is left out; of a widget that the
   * editor does not know everything else is copied.
   */
  duplicate(list: FieldInfo, item: JsonObject): JsonObject {
    const fields = this.#shapes.ofItem(list, item)
    return { ...this.#copyFields(fields, item), _id: this.#newId() }
  }

  #blankFields(fields: readonly FieldInfo[]): JsonObject {
    const values = fields.filter(isStored).map((field) => [field.name, this.#blankValue(field)] as const)
    return Object.fromEntries(values)
  }

  #blankValue(field: FieldInfo): Json {
    const blank = this.#emptyValue(field)
    if (field.def === undefined) return blank
    if (kindOf(field) === 'object' && isObject(blank) && isObject(field.def)) return { ...blank, ...field.def }
    return kindOf(field) === 'items' ? this.#itemsOfDefault(field, blank) : field.def
  }

  #emptyValue(field: FieldInfo): Json {
    if (field.type === 'area') return { _id: this.#newId(), metaType: 'area', items: [] }
    if (kindOf(field) === 'object') {
      return { _id: this.#newId(), metaType: 'object', ...this.#blankFields(field.fields ?? []) }
    }
    return BLANK[field.type] ?? null
  }

  /** The items of a default are written by people: they have no ids. */
  #itemsOfDefault(field: FieldInfo, blank: Json): Json {
    const items = itemsOf(field.def).map((item) => ({ ...this.blank(field, String(own(item, 'type') ?? '')), ...item }))
    return withItems(
      field,
      blank,
      items.map((item) => this.duplicate(field, item)),
    )
  }

  #copyFields(fields: readonly FieldInfo[] | null, holder: JsonObject): JsonObject {
    const copied = fields === null ? holder : this.#withoutKnown(fields, holder)
    const own = Object.entries(copied).filter(([name]) => SHELL.includes(name) || !name.startsWith('_'))
    const values = (fields ?? []).filter(isStored).map((field) => [field.name, this.#copyValue(field, holder)] as const)
    return { ...Object.fromEntries(own), ...Object.fromEntries(values) }
  }

  #withoutKnown(fields: readonly FieldInfo[], holder: JsonObject): JsonObject {
    const known = new Set(fields.flatMap(propertiesOf))
    return Object.fromEntries(Object.entries(holder).filter(([name]) => !known.has(name)))
  }

  #copyValue(field: FieldInfo, holder: JsonObject): Json {
    const value = readField(field, holder)
    if (kindOf(field) === 'object' && isObject(value)) {
      return { ...this.#copyFields(field.fields ?? [], value), _id: this.#newId() }
    }
    if (kindOf(field) !== 'items') return value
    const items = itemsOf(value).map((item) => this.duplicate(field, item))
    const copy = withItems(field, value, items)
    return isObject(copy) ? { ...copy, _id: this.#newId() } : copy
  }
}

const BLANK: Readonly<Record<string, Json>> = {
  string: '',
  slug: '',
  email: '',
  richText: '',
  boolean: false,
  checkboxes: [],
  array: [],
  relationship: [],
  box: { top: null, right: null, bottom: null, left: null },
}

function isStored(field: FieldInfo): boolean {
  return field.type !== 'relationshipReverse'
}
