import type { FieldInfo, JsonObject } from 'quire-client'
import { idOf, itemsOf, kindOf, readField, type Shapes } from '../fields.ts'
import { isObject } from '../json.ts'

/** An item, and the list that it is in. */
export interface IndexedItem {
  readonly item: JsonObject
  /** Does not change when the item around the list moves: `body`, `w1/items`. */
  readonly list: string
}

/** The items and widgets of a document by their ids, at any depth. */
export class ItemIndex {
  readonly #shapes: Shapes
  readonly #items = new Map<string, IndexedItem>()

  constructor(shapes: Shapes, fields: readonly FieldInfo[], values: JsonObject) {
    this.#shapes = shapes
    this.#read(fields, values, '')
  }

  /** The item with an id; undefined where there is none. */
  get(id: string): IndexedItem | undefined {
    return this.#items.get(id)
  }

  #read(fields: readonly FieldInfo[], values: JsonObject, at: string): void {
    for (const field of fields) {
      const kind = kindOf(field)
      const value = kind === 'leaf' ? null : readField(field, values)
      const key = at + field.name
      if (kind === 'object' && isObject(value)) this.#read(field.fields ?? [], value, `${key}.`)
      if (kind !== 'items') continue
      for (const item of itemsOf(value)) {
        this.#items.set(idOf(item), { item, list: key })
        this.#read(this.#shapes.ofItem(field, item) ?? [], item, `${idOf(item)}/`)
      }
    }
  }
}
