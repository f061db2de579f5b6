import type { FieldInfo, Json, JsonObject } from 'quire-client'
import { idOf, isLocked, itemsOf, kindOf, readField, type Shapes } from '../fields.ts'
import { isObject, own, sameJson } from '../json.ts'
import { type ListChange, placingSteps, removingSteps } from './list-steps.ts'
import { bodyOf, type PatchStep } from './patch-steps.ts'
import { isSameSent, sentItem, sentValue } from './sent-form.ts'

/** The service takes 500 changes of one PATCH; each that leads into a document may look through all of it. */
const MOST_STEPS = 300

/**
 * The smallest body of PATCH that changes one document into another of the same fields: leaves by their paths, items by
 * `@<id>`, lists by `$pullAllById`, `$push` and `$move`. Null where nothing differs. Where that takes very many steps,
 * whole fields are sent.
 */
export function toPatch(
  shapes: Shapes,
  fields: readonly FieldInfo[],
  base: JsonObject,
  current: JsonObject,
): JsonObject | null {
  const comparison = new Comparison(shapes)
  comparison.holder(fields, { base, current }, '')
  const { removing, setting, placing } = comparison
  // An item that is removed first may be put elsewhere, with its id.
  const steps = [...removing, ...setting, ...placing]
  return bodyOf(steps.length > MOST_STEPS ? wholeFields(shapes, fields, { base, current }) : steps)
}

interface Pair<Value> {
  readonly base: Value
  readonly current: Value
}

function wholeFields(shapes: Shapes, fields: readonly FieldInfo[], { base, current }: Pair<JsonObject>): PatchStep[] {
  return fields.flatMap((field) => {
    const [before, after] = [readField(field, base), readField(field, current)]
    if (isLocked(field) || isSameSent(shapes, field, before, after)) return []
    return [{ path: field.name, operand: sentValue(shapes, field, after) }]
  })
}

class Comparison {
  readonly removing: PatchStep[] = []
  readonly setting: PatchStep[] = []
  readonly placing: PatchStep[] = []
  readonly #shapes: Shapes

  constructor(shapes: Shapes) {
    this.#shapes = shapes
  }

  holder(fields: readonly FieldInfo[], { base, current }: Pair<JsonObject>, at: string): void {
    if (base === current) return
    for (const field of fields) {
      if (isLocked(field)) continue
      this.#field(field, { base: readField(field, base), current: readField(field, current) }, at + field.name)
    }
  }

  #field(field: FieldInfo, { base, current }: Pair<Json>, path: string): void {
    const kind = kindOf(field)
    if (base === current) return
    if (kind === 'object' && isObject(base) && isObject(current)) {
      this.holder(field.fields ?? [], { base, current }, `${path}.`)
    } else if (kind === 'items' && isList(base) && isList(current)) {
      this.#items(field, { base: itemsOf(base), current: itemsOf(current) }, path)
    } else if (!this.#isSame(field, { base, current })) {
      this.setting.push({ path, operand: sentValue(this.#shapes, field, current) })
    }
  }

  /** An object, or a list, that is not there is the same as one without values. */
  #isSame(field: FieldInfo, { base, current }: Pair<Json>): boolean {
    const kind = kindOf(field)
    if (kind === 'items') return itemsOf(base).length === 0 && itemsOf(current).length === 0
    if (kind === 'leaf') return isSameSent(this.#shapes, field, base, current)
    const inside = new Comparison(this.#shapes)
    const values = { base: isObject(base) ? base : {}, current: isObject(current) ? current : {} }
    inside.holder(field.fields ?? [], values, '')
    return [inside.removing, inside.setting, inside.placing].every((steps) => steps.length === 0)
  }

  #items(field: FieldInfo, { base, current }: Pair<readonly JsonObject[]>, path: string): void {
    const [before, after] = [base.map(idOf), current.map(idOf)]
    const stored = new Map(base.map((item) => [idOf(item), item]))
    for (const item of current) {
      const former = stored.get(idOf(item))
      if (former !== undefined) this.#item(field, { base: former, current: item }, `${path}.@${idOf(item)}`)
    }
    if (sameJson(before, after)) return
    const added = new Map(current.map((item) => [idOf(item), item]))
    const change: ListChange = {
      path: field.type === 'area' ? `${path}.items` : path,
      before,
      after,
      newItem: (id) => sentItem(this.#shapes, field, added.get(id) ?? {}),
    }
    this.removing.push(...removingSteps(change))
    this.placing.push(...placingSteps(change))
  }

  #item(field: FieldInfo, { base, current }: Pair<JsonObject>, path: string): void {
    if (own(base, 'type') === own(current, 'type') || field.type === 'array') {
      this.holder(this.#shapes.ofItem(field, current) ?? [], { base, current }, `${path}.`)
    } else this.setting.push({ path, operand: sentItem(this.#shapes, field, current) })
  }
}

function isList(value: Json): boolean {
  return Array.isArray(value) || (isObject(value) && Array.isArray(value.items))
}
