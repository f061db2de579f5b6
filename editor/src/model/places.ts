import type { FieldInfo, Json, JsonObject } from 'quire-client'
import { idOf, itemsOf, kindOf, readField, type Shapes, withItems, writeField } from './fields.ts'
import type { Path } from './form.ts'
import { isObject } from './json.ts'

/** An object with fields: a document, an object, an item, a widget. */
export interface Holder {
  readonly fields: readonly FieldInfo[]
  readonly values: JsonObject
}

/** A field where it lies. */
export interface FieldPlace {
  readonly field: FieldInfo
  readonly holder: JsonObject
  readonly value: Json
}

/** Reads and changes documents by the paths of their fields; null for paths that lead to nothing. */
export class Places {
  readonly shapes: Shapes

  constructor(shapes: Shapes) {
    this.shapes = shapes
  }

  /** The field at a path. */
  field(at: Holder, path: Path): FieldPlace | null {
    const [name = '', ...rest] = path
    const field = at.fields.find((one) => one.name === name)
    if (field === undefined) return null
    const value = readField(field, at.values)
    if (rest.length === 0) return { field, holder: at.values, value }
    const inner = this.#inner(field, value, rest)
    return inner === null ? null : this.field(inner.holder, inner.rest)
  }

  /** The item at a path that ends in its id. */
  item(at: Holder, path: Path): JsonObject | null {
    const list = this.field(at, path.slice(0, -1))
    if (list === null || kindOf(list.field) !== 'items') return null
    return itemsOf(list.value).find((item) => idOf(item) === path.at(-1)) ?? null
  }

  /** The values with another value of the field at a path; undefined takes it out. */
  change(at: Holder, path: Path, change: (place: FieldPlace) => Json | undefined): JsonObject | null {
    const [name = '', ...rest] = path
    const field = at.fields.find((one) => one.name === name)
    if (field === undefined) return null
    const value = readField(field, at.values)
    if (rest.length === 0) return writeField(field, at.values, change({ field, holder: at.values, value }))
    const inner = this.#inner(field, value, rest)
    const changed = inner === null ? null : this.change(inner.holder, inner.rest, change)
    return inner === null || changed === null ? null : writeField(field, at.values, inner.put(changed))
  }

  #inner(field: FieldInfo, value: Json, path: Path) {
    const kind = kindOf(field)
    if (kind === 'object') {
      const values = isObject(value) ? value : { metaType: 'object' }
      return { holder: { fields: field.fields ?? [], values }, rest: path, put: (changed: JsonObject): Json => changed }
    }
    const [id, ...rest] = path
    const items = kind === 'items' ? itemsOf(value) : []
    const item = items.find((one) => idOf(one) === id)
    const fields = item === undefined ? null : this.shapes.ofItem(field, item)
    if (item === undefined || fields === null || rest.length === 0) return null
    const put = (changed: JsonObject): Json =>
      withItems(
        field,
        value,
        items.map((one) => (one === item ? changed : one)),
      )
    return { holder: { fields, values: item }, rest, put }
  }
}
