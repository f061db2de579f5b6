import type { Json, JsonObject } from '../../base/json.ts'
import type { Change, Step } from '../../model/changes/content-change.ts'
import { replaceItems } from '../values/patch-operators.ts'
import { assign, idOf, listOf, unknownPath } from '../values/patch-path.ts'
import { ItemsById } from './items-by-id.ts'

/** The values that rows are taken from and written to, in the form in which clients send them. */
interface Sides {
  readonly proposed: JsonObject
  /** Changed in place. */
  readonly current: JsonObject
  /** Other values than the proposed ones, by the key of the row. */
  readonly values: ReadonlyMap<string, Json>
}

/** Rows of one kind, and where they are found. */
interface Rows {
  readonly changes: readonly Change[]
  readonly proposed: ItemsById
  readonly current: ItemsById
  readonly values: Sides['values']
}

/** Rows in the order in which they are applied: what is gone first, then what is new, then values, then orders. */
const ORDER = ['deleted', 'added', 'value', 'order'] as const
const APPLY: { readonly [kind in (typeof ORDER)[number]]: (rows: Rows) => void } = {
  deleted: removeItems,
  added: addItems,
  value: setValues,
  order: orderItems,
}

/**
 * Makes these changes, and no others, of a draft as it is now, in time that grows with the rows and the values alone.
 * Throws `invalid` where the draft no longer has their place.
 */
export function applyRows({ proposed, current, values }: Sides, changes: readonly Change[]): void {
  const found = new ItemsById(proposed)
  const byKind = Map.groupBy(changes, kindOf)
  for (const kind of ORDER) {
    const some = byKind.get(kind)
    if (some) APPLY[kind]({ changes: some, proposed: found, current: new ItemsById(current), values })
  }
}

function kindOf({ order, kind, type, field }: Change): (typeof ORDER)[number] {
  if (order) return 'order'
  const isPart = kind === 'widget' || kind === 'arrayItem'
  return isPart && field === null && type !== 'modified' ? type : 'value'
}

/** The changes of each list, by its place. */
function byList(changes: readonly Change[]): { readonly place: readonly Step[]; readonly ids: ReadonlySet<string> }[] {
  const placeOf = ({ segments }: Change) => segments.slice(0, -1)
  const lists = Map.groupBy(changes, (change) =>
    placeOf(change)
      .map(({ name }) => name)
      .join('.'),
  )
  return [...lists.values()].map((some) => ({
    place: some.slice(0, 1).flatMap(placeOf),
    ids: new Set(some.map(({ segments }) => last(segments))),
  }))
}

function removeItems({ changes, current }: Rows): void {
  for (const { place, ids } of byList(changes)) {
    const list = current.listAt(place)
    const presentIds = new Set(list.map(idOf))
    for (const id of ids)
      if (!presentIds.has(id)) throw unknownPath(id, `No item with the id ${id} is in the draft any more.`)
    replaceItems(
      list,
      list.filter((item) => !ids.has(idOf(item) ?? '')),
    )
  }
}

/** Puts each new item after the nearest one before it, in the order of the proposal, that the draft has. */
function addItems({ changes, proposed, current }: Rows): void {
  for (const { place, ids } of byList(changes)) {
    const list = current.listAt(place)
    const presentIds = new Set(list.map(idOf))
    const first: Json[] = []
    const following = new Map<string, Json[]>()
    let group = first
    for (const item of listOf(proposed.at(place)) ?? []) {
      const id = idOf(item) ?? ''
      if (ids.has(id)) group.push(presentIds.has(id) ? withoutId(item) : item)
      else if (presentIds.has(id)) {
        group = []
        following.set(id, group)
      }
    }
    replaceItems(list, [...first, ...withFollowing(list, following)])
  }
}

function withFollowing(list: readonly Json[], following: ReadonlyMap<string, readonly Json[]>): Json[] {
  return list.flatMap((item) => [item, ...(following.get(idOf(item) ?? '') ?? [])])
}

/** It gets an id of its own: the draft has an item with this one. */
function withoutId(item: Json): Json {
  // `as`: only objects have ids.
  const { _id, ...rest } = item as JsonObject
  return rest
}

function setValues({ changes, proposed, current, values }: Rows): void {
  for (const { key, segments, kind } of changes) {
    const given = values.get(key)
    const now = given ?? proposed.at(segments) ?? null
    const isRelated = kind === 'relationship' && given === undefined
    const value = isRelated ? withPresentFields(now, current.at(segments)) : now
    const step = segments.at(-1)
    if (step?.item) replaceValues(current.objectAt(segments), value)
    else assign(current.objectAt(segments.slice(0, -1)), step?.name ?? '', value)
    current.add(value)
  }
}

/** Makes a widget another one, in its place. */
function replaceValues(widget: JsonObject, value: Json): void {
  for (const name of Object.keys(widget)) delete widget[name]
  Object.assign(widget, value)
}

/** Related documents keep what is said of them now: that is a row of its own. */
function withPresentFields(value: Json, present: Json | undefined): Json {
  const presentItems = new Map((listOf(present) ?? []).map((one) => [idOf(one), one]))
  return Array.isArray(value) ? value.map((one) => presentItems.get(idOf(one)) ?? one) : value
}

/** Moves items behind the one that the proposal has before them, until those that both have are in its order. */
function orderItems({ changes, proposed, current }: Rows): void {
  for (const { segments } of changes) {
    const list = current.listAt(segments)
    const moved = movedItems(list, (listOf(proposed.at(segments)) ?? []).map(idOf))
    const isMoved = new Set([...moved.values()].flat().map(idOf))
    const staying = list.filter((item) => !isMoved.has(idOf(item)))
    replaceItems(list, withFollowing(staying, moved))
  }
}

/** The items that come before one that the order has before them, by the last one that stays in its place. */
function movedItems(list: readonly Json[], order: readonly (string | null)[]): ReadonlyMap<string, readonly Json[]> {
  const places = new Map(list.map((item, index) => [idOf(item), index]))
  const moved = new Map<string, Json[]>()
  let stays = { id: '', place: -1 }
  for (const id of order) {
    const place = places.get(id)
    if (id === null || place === undefined) continue
    if (place > stays.place) {
      stays = { id, place }
      moved.set(id, [])
    } else moved.get(stays.id)?.push(...list.slice(place, place + 1))
  }
  return moved
}

function last(segments: readonly Step[]): string {
  return segments.at(-1)?.name ?? ''
}
