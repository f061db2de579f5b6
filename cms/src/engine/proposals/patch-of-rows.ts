import { isObject, type Json, type JsonObject, own } from '../../base/json.ts'
import type { Change, Step } from '../../model/changes/content-change.ts'
import type { Fields } from '../../model/field-type/field-type.ts'
import { patch } from '../values/patch.ts'
import { idOf } from '../values/patch-path.ts'

type Operation = { readonly [name: string]: Json }

/** The values that rows are taken from and written to, in the form in which clients send them. */
interface Sides {
  readonly fields: Fields
  readonly proposed: JsonObject
  /** Changed in place, so that later rows find what earlier ones have done. */
  readonly current: JsonObject
  /** Other values than the proposed ones, by the key of the row. */
  readonly values: ReadonlyMap<string, Json>
}

/** Rows in the order in which they are applied: what is gone first, then what is new, then values, then orders. */
const ORDER = ['deleted', 'added', 'value', 'order'] as const

/** Returns the bodies of a PATCH that makes these changes, and no others, of a draft as it is now. Throws as PATCH does. */
export function operationsOf(sides: Sides, changes: readonly Change[]): Operation[] {
  const made: Operation[] = []
  const sorted = ORDER.flatMap((kind) => changes.filter((change) => kindOf(change) === kind))
  for (const change of sorted) {
    for (const operation of MAKE[kindOf(change)](sides, change)) {
      patch(sides.fields, sides.current, operation)
      made.push(operation)
    }
  }
  return made
}

function kindOf({ order, kind, type, field }: Change): (typeof ORDER)[number] {
  if (order) return 'order'
  const isPart = kind === 'widget' || kind === 'arrayItem'
  return isPart && field === null && type !== 'modified' ? type : 'value'
}

const MAKE: { readonly [kind in (typeof ORDER)[number]]: (sides: Sides, change: Change) => Operation[] } = {
  deleted: (_sides, { segments }) => [
    { $pullAllById: { [listPath(segments.slice(0, -1), _sides)]: [last(segments)] } },
  ],
  added: addition,
  value: ({ proposed, current, values }, change) => {
    const { key, segments, kind } = change
    const given = values.get(key)
    const now = given ?? at(proposed, segments) ?? null
    const value = kind === 'relationship' && given === undefined ? withPresentFields(now, at(current, segments)) : now
    return [{ [pathOf(segments)]: value }]
  },
  order: moves,
}

function addition(sides: Sides, { segments }: Change): Operation[] {
  const parent = segments.slice(0, -1)
  const from = listOf(at(sides.proposed, parent))
  const there = new Set(listOf(at(sides.current, parent)).map(idOf))
  const index = from.findIndex((one) => idOf(one) === last(segments))
  const before = from.slice(0, index).findLast((one) => there.has(idOf(one)))
  const place = before === undefined ? { $position: 0 } : { $after: idOf(before) }
  return [{ $push: { [listPath(parent, sides)]: { $each: from.slice(index, index + 1), ...place } } }]
}

/** Moves items until those that are there, and in the proposal, have the order that it has. */
function moves(sides: Sides, { segments }: Change): Operation[] {
  const present = listOf(at(sides.current, segments)).map(idOf)
  const there = new Set(present)
  const wanted = listOf(at(sides.proposed, segments))
    .map(idOf)
    .filter((id) => there.has(id))
  const found: Operation[] = []
  const path = listPath(segments, sides)
  for (const [index, id] of wanted.entries()) {
    const previous = wanted[index - 1]
    if (previous === undefined) continue
    if (present.indexOf(id) > present.indexOf(previous)) continue
    present.splice(present.indexOf(id), 1)
    present.splice(present.indexOf(previous) + 1, 0, id)
    found.push({ $move: { [path]: { $item: id, $after: previous } } })
  }
  return found
}

/** Related documents keep what is said of them now: that is a row of its own. */
function withPresentFields(value: Json, present: Json | undefined): Json {
  const said = new Map(listOf(present).map((one) => [idOf(one), one]))
  return Array.isArray(value) ? value.map((one) => said.get(idOf(one)) ?? one) : value
}

function last(segments: readonly Step[]): string {
  return segments.at(-1)?.name ?? ''
}

/** The path of a PATCH to a place: items and widgets are named by their ids, wherever they lie. */
function pathOf(segments: readonly Step[]): string {
  let path: string[] = []
  for (const { name, item, isDocument } of segments) {
    if (item) path = [`@${name}`]
    else if (isDocument) path = [...path, `@${name}`, '_fields']
    else path = [...path, name]
  }
  return path.join('.')
}

function listPath(segments: readonly Step[], { proposed, current }: Sides): string {
  const value = at(proposed, segments) ?? at(current, segments)
  return Array.isArray(value) ? pathOf(segments) : `${pathOf(segments)}.items`
}

/** The value at a place, by names and ids. */
function at(values: JsonObject, segments: readonly Step[]): Json | undefined {
  let value: Json | undefined = values
  for (const { name, item, isDocument } of segments) {
    if (item || isDocument) {
      const found: Json | undefined = listOf(value).find((one) => idOf(one) === name)
      value = isDocument && isObject(found) ? (own(found, '_fields') as Json) : found
    } else value = isObject(value) ? own(value as JsonObject, name) : undefined
  }
  return value
}

/** The items of an array, the widgets of an area, or the documents of a relationship. */
function listOf(value: Json | undefined): readonly Json[] {
  if (Array.isArray(value)) return value
  const items = isObject(value) ? own(value, 'items') : undefined
  return Array.isArray(items) ? items : []
}
