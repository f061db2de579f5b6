import { isObject, type JsonObject } from '../../base/json.ts'
import { movedItems } from '../../model/changes/moved.ts'

/** An area as of two versions. */
export class AreaMarks {
  readonly #older: readonly JsonObject[]
  readonly #newer: readonly JsonObject[]
  readonly #area: JsonObject
  readonly #deleted = new Set<JsonObject>()
  #moved: ReadonlySet<string> | null = null

  constructor(older: JsonObject, newer: JsonObject) {
    this.#older = widgetsOf(older)
    this.#newer = widgetsOf(newer)
    this.#area = newer
  }

  /** The fewest widgets that explain the new order. */
  moved(): JsonObject[] {
    const moved = this.#movedIds()
    return this.#newer.filter((widget) => moved.has(idOf(widget)))
  }

  /** Notes a widget of the older area as deleted. */
  delete(widget: JsonObject): void {
    this.#deleted.add(widget)
  }

  /** Puts deleted widgets back behind the nearest one before them that still exists and was not moved. */
  putBack(): void {
    if (this.#deleted.size === 0) return
    const kept = new Set(this.#newer.map(idOf))
    const moved = this.#movedIds()
    const first: JsonObject[] = []
    const following = new Map<string, JsonObject[]>()
    let last = first
    for (const widget of this.#older) {
      const id = idOf(widget)
      if (this.#deleted.has(widget)) last.push(widget)
      else if (kept.has(id) && !moved.has(id)) {
        last = []
        following.set(id, last)
      }
    }
    this.#area.items = [...first, ...this.#newer.flatMap((widget) => [widget, ...(following.get(idOf(widget)) ?? [])])]
  }

  #movedIds(): ReadonlySet<string> {
    this.#moved ??= movedItems(this.#older.map(idOf), this.#newer.map(idOf))
    return this.#moved
  }
}

const idOf = ({ _id }: JsonObject) => String(_id)

function widgetsOf({ items }: JsonObject): JsonObject[] {
  return Array.isArray(items) ? items.filter((item) => isObject(item)) : []
}
