import { isObject, type Json, type JsonObject, own } from '../../base/json.ts'
import type { Step } from '../../model/changes/content-change.ts'
import { movedItems } from '../../model/changes/moved.ts'

/** Where a change lies in the answer for a document. */
interface Located {
  /** The innermost object with fields: the document, an object, an item, a widget. */
  readonly holder: JsonObject
  /** Its field. */
  readonly name: string
  /** The change is of the field's whole value, not of a part of it. */
  readonly isWhole: boolean
}

/** Finds the parts that changes name in the answer for a document. */
export class AnswerParts {
  readonly #answer: JsonObject
  readonly #itemsOf = new Map<Json, ReadonlyMap<string, JsonObject>>()

  constructor(answer: JsonObject) {
    this.#answer = answer
  }

  /**
   * The item or widget to which the steps lead, or the document when there are none; undefined when it is not there.
   */
  itemAt(steps: readonly Step[]): JsonObject | undefined {
    if (steps.length === 0) return this.#answer
    const { holder, name, isWhole } = this.locate(steps.slice(0, -1))
    const last = steps.at(-1)
    return isWhole && last ? this.#items(own(holder, name) ?? null).get(last.name) : undefined
  }

  /** The deepest part of the path that exists. */
  locate(steps: readonly Step[]): Located {
    let holder = this.#answer
    for (let index = 0; ; ) {
      const { name } = steps[index] ?? { name: '' }
      const next = steps[index + 1]
      if (!next) return { holder, name, isWhole: true }
      const value = own(holder, name) ?? null
      const inner = next.item ? this.#items(value).get(next.name) : isObject(value) ? value : undefined
      const isHolder = next.item ? index + 2 < steps.length : inner?.metaType === 'object'
      if (!inner || !isHolder) return { holder, name, isWhole: false }
      holder = inner
      index += next.item ? 2 : 1
    }
  }

  #items(value: Json): ReadonlyMap<string, JsonObject> {
    const known = this.#itemsOf.get(value)
    if (known) return known
    const list = isObject(value) ? value.items : value
    const items = Array.isArray(list) ? list.filter((item) => isObject(item)) : []
    const found = new Map(items.map((item) => [String(item._id), item]))
    this.#itemsOf.set(value, found)
    return found
  }
}

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

  /** Marks a widget of the older area as deleted. */
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
