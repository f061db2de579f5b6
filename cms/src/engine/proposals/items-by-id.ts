import { isObject, type Json, type JsonObject, own } from '../../base/json.ts'
import type { Step } from '../../model/changes/content-change.ts'
import { idOf, listOf, unknownPath } from '../values/patch-path.ts'

/** The objects with an `_id` in values, at any depth: each is found at once, however many there are. */
export class ItemsById {
  readonly #values: JsonObject
  readonly #items = new Map<string, JsonObject>()
  readonly #documents = new WeakMap<readonly Json[], ReadonlyMap<string | null, Json>>()

  constructor(values: JsonObject) {
    this.#values = values
    this.add(values)
  }

  /** Adds what is in a value that was just put there. */
  add(value: Json): void {
    if (typeof value !== 'object' || value === null) return
    const id = idOf(value)
    // `as`: only objects have ids.
    if (id !== null) this.#items.set(id, value as JsonObject)
    for (const inner of Object.values(value)) this.add(inner)
  }

  /** The value at a place; items are found wherever they are, related documents below their relationship. */
  at(segments: readonly Step[]): Json | undefined {
    const last = segments.findLastIndex(({ item }) => item)
    let value: Json | undefined = last < 0 ? this.#values : this.#items.get(segments[last]?.name ?? '')
    for (const { name, isDocument } of segments.slice(last + 1)) {
      const holder: Json | undefined = isDocument ? this.#documentIn(value, name) : value
      // `as`: of JSON.
      value = isObject(holder) ? (own(holder, isDocument ? '_fields' : name) as Json | undefined) : undefined
    }
    return value
  }

  /** The object at a place. Throws `invalid` where there is none any more. */
  objectAt(segments: readonly Step[]): JsonObject {
    const found = this.at(segments)
    if (!isObject(found)) throw gone(segments)
    // `as`: of JSON.
    return found as JsonObject
  }

  /** The items of an array, or the widgets of an area. Throws `invalid` where there is no such list any more. */
  listAt(segments: readonly Step[]): Json[] {
    const found = listOf(this.at(segments))
    if (found === null) throw gone(segments)
    return found
  }

  #documentIn(value: Json | undefined, id: string): Json | undefined {
    const list = listOf(value)
    if (list === null) return undefined
    const known = this.#documents.get(list) ?? new Map(list.map((one) => [idOf(one), one]))
    this.#documents.set(list, known)
    return known.get(id)
  }
}

function gone(segments: readonly Step[]): Error {
  const path = segments.map(({ name }) => name).join('.')
  return unknownPath(path, 'The draft does not have this place any more.')
}
