import type { FieldInfo, Json, JsonObject } from 'quire-client'
import { idOf, isLocked, itemsOf, kindOf, readField, type Shapes, withItems, writeField } from '../fields.ts'
import type { Conflict, Path } from '../form.ts'
import { isObject, own, sameJson } from '../json.ts'
import { labelOfItem, type Widgets } from '../labels.ts'
import { isSameItem, isSameSent } from '../patching/sent-form.ts'
import { ItemIndex } from './item-index.ts'
import { mergedOrder, type Versions } from './merge-order.ts'

/** Three versions of a document, and what its type is made of. */
export interface MergeInput extends Versions<JsonObject> {
  readonly shapes: Shapes
  readonly widgets: Widgets
  readonly fields: readonly FieldInfo[]
  /** Theirs is what the service made of base: that brings back nothing that was removed here since. */
  readonly isAnswer?: boolean
}

/** The merged document; of what is in conflict it has mine. */
export interface Merged {
  readonly merged: JsonObject
  readonly conflicts: readonly Conflict[]
}

/**
 * Merges what two sides changed (§5.3): different fields, items and blocks are taken from the side that changed them;
 * what both changed differently is a conflict, and so is what one removed and the other changed. What the schema does
 * not name, and what may not be changed here, is theirs.
 */
export function merge(input: MergeInput, by: string): Merged {
  const merging = new Merging(input, by)
  const merged = merging.holder(input.fields, input, { path: [], key: '' })
  return { merged, conflicts: merging.conflicts }
}

/** Where values lie: their path, and the same from the item around them (`w1/items`), wherever that is. */
interface At {
  readonly path: Path
  readonly key: string
}

class Merging {
  readonly conflicts: Conflict[] = []
  readonly #by: string
  readonly #shapes: Shapes
  readonly #widgets: Widgets
  readonly #items: Versions<ItemIndex>
  readonly #isAnswer: boolean

  constructor({ shapes, widgets, fields, base, mine, theirs, isAnswer = false }: MergeInput, by: string) {
    const index = (values: JsonObject) => new ItemIndex(shapes, fields, values)
    this.#by = by
    this.#shapes = shapes
    this.#widgets = widgets
    this.#isAnswer = isAnswer
    this.#items = { base: index(base), mine: index(mine), theirs: index(theirs) }
  }

  holder(fields: readonly FieldInfo[], { base, mine, theirs }: Versions<JsonObject>, at: At): JsonObject {
    let merged = theirs
    for (const field of fields) {
      if (isLocked(field)) continue
      const values = { base: readField(field, base), mine: readField(field, mine), theirs: readField(field, theirs) }
      const value = this.#value(field, values, { path: [...at.path, field.name], key: at.key + field.name })
      if (!sameJson(value, values.theirs)) merged = writeField(field, merged, value)
    }
    return merged
  }

  #value(field: FieldInfo, values: Versions<Json>, at: At): Json {
    const { base, mine, theirs } = values
    const kind = kindOf(field)
    if (kind === 'object' && isObject(mine) && isObject(theirs)) {
      const inside = { path: at.path, key: `${at.key}.` }
      return this.holder(field.fields ?? [], { base: isObject(base) ? base : {}, mine, theirs }, inside)
    }
    if (kind === 'items') return this.#list(field, values, at)
    const isSame = (one: Json, other: Json) => isSameSent(this.#shapes, field, one, other)
    if (isSame(mine, base) || isSame(mine, theirs)) return theirs
    if (!isSame(theirs, base)) this.#conflict('value', at.path, { label: field.label, ...values })
    return mine
  }

  #list(field: FieldInfo, { base, mine, theirs }: Versions<Json>, at: At): Json {
    const ids = { base: itemsOf(base).map(idOf), mine: itemsOf(mine).map(idOf), theirs: itemsOf(theirs).map(idOf) }
    const kept = new Map<string, JsonObject>()
    for (const id of new Set([...ids.theirs, ...ids.mine])) {
      const item = this.#kept(field, id, at)
      if (item !== null) kept.set(id, item)
    }
    const { order, isContested } = mergedOrder(ids, new Set(kept.keys()))
    if (isContested) {
      this.#conflict('order', at.path, { label: field.label, base: ids.base, mine: ids.mine, theirs: ids.theirs })
    }
    const items = order.map((id) => kept.get(id)).filter((item) => item !== undefined)
    return sameJson(items, itemsOf(theirs)) ? theirs : withItems(field, isObject(theirs) ? theirs : mine, items)
  }

  /** An item of either side as the merged list has it; null where it is not there, or moved elsewhere. */
  #kept(field: FieldInfo, id: string, at: At): JsonObject | null {
    const { base, mine, theirs } = this.#items
    const [was, here, there] = [base.get(id), mine.get(id), theirs.get(id)]
    const inside = { path: [...at.path, id], key: `${id}/` }
    if (here !== undefined && there !== undefined) {
      const home = here.list === was?.list ? there.list : here.list
      const versions = { base: was?.item, mine: here.item, theirs: there.item }
      return home === at.key ? this.#item(field, versions, inside) : null
    }
    const only = here ?? there
    if (only === undefined) return null
    if (was !== undefined) {
      const isOnlyCleaned = this.#isAnswer && only === there
      if (isOnlyCleaned || isSameItem(this.#shapes, field, only.item, was.item)) return null
      this.#itemConflict(field, { base: was.item, mine: here?.item, theirs: there?.item }, inside.path)
    }
    return this.#item(field, { base: was?.item, mine: only.item, theirs: only.item }, inside)
  }

  #item(field: FieldInfo, versions: ItemVersions, at: At): JsonObject {
    const { base, mine, theirs } = versions
    const fields = this.#shapes.ofItem(field, theirs)
    if (own(mine, 'type') === own(theirs, 'type') || field.type === 'array') {
      return fields === null ? theirs : this.holder(fields, { base: base ?? {}, mine, theirs }, at)
    }
    const isSame = (one: JsonObject) => base !== undefined && isSameItem(this.#shapes, field, one, base)
    if (isSame(mine)) return theirs
    if (!isSame(theirs)) this.#itemConflict(field, versions, at.path)
    return mine
  }

  #itemConflict(field: FieldInfo, values: Partial<Versions<JsonObject | undefined>>, path: Path): void {
    const label = labelOfItem(this.#widgets, field, values.mine ?? values.theirs ?? {})
    this.#conflict('item', path, { label, base: values.base, mine: values.mine, theirs: values.theirs })
  }

  #conflict(kind: Conflict['kind'], path: Path, { label, base: before, mine, theirs }: Contested): void {
    this.conflicts.push({ kind, path, label, before, mine, theirs, by: this.#by })
  }
}

interface Contested extends Versions<Json | undefined> {
  readonly label: string
}

interface ItemVersions {
  readonly base: JsonObject | undefined
  readonly mine: JsonObject
  readonly theirs: JsonObject
}
