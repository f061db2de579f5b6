import type { JsonObject } from 'quire-client'
import { idOf, itemsOf, withItems } from '../fields.ts'
import type { Path } from '../form.ts'
import { isWithin } from '../paths.ts'
import type { Holder, Places } from '../places.ts'

/** A sent patch: the document as it would then be stored, and the paths that it left out. */
export interface Sent {
  readonly values: JsonObject
  readonly leftOut: readonly Path[]
}

/** Whether what lies at a path, or some of it, was not sent. */
export function isLeftOut({ leftOut }: Sent, path: Path): boolean {
  return leftOut.some((one) => isWithin(path, one) || isWithin(one, path))
}

/** A document without what must not be sent: at these paths, of fields and items, it is what is stored. */
export function withheld(places: Places, stored: Holder, document: Holder, paths: readonly Path[]): JsonObject {
  return paths.reduce((values, path) => {
    const at = { fields: document.fields, values }
    const field = places.field(at, path)
    const changed =
      field === null ? withStoredItem(places, stored, at, path) : withStoredField(places, stored, at, path)
    return changed ?? values
  }, document.values)
}

function withStoredField(places: Places, stored: Holder, at: Holder, path: Path): JsonObject | null {
  const value = places.field(stored, path)?.value
  return places.change(at, path, () => value)
}

function withStoredItem(places: Places, stored: Holder, at: Holder, path: Path): JsonObject | null {
  const former = places.item(stored, path)
  return places.change(at, path.slice(0, -1), ({ field, value }) => {
    const isIt = (item: JsonObject) => idOf(item) === path.at(-1)
    const items = itemsOf(value).map((item) => (isIt(item) ? former : item))
    return withItems(
      field,
      value,
      items.filter((item) => item !== null),
    )
  })
}
