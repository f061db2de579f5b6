import { idOf, itemsOf } from '../fields.ts'
import type { Conflict, Operation, Path } from '../form.ts'
import { isObject } from '../json.ts'
import { isSameSent } from '../patching/sent-form.ts'
import type { Holder, Places } from '../places.ts'

/** The two sides as they are now. */
interface Now {
  readonly mine: Holder
  readonly theirs: Holder
}

/** Whether there is still something to decide. */
export function isOpen(places: Places, conflict: Conflict, { mine, theirs }: Now): boolean {
  const { kind, path } = conflict
  if (kind === 'item') {
    const here = places.item(mine, path)
    const there = places.item(theirs, path)
    return here !== null && (conflict.theirs === undefined) === (there === null)
  }
  const place = places.field(mine, path)
  if (place === null || kind === 'order') return place !== null
  return !isSameSent(places.shapes, place.field, place.value, places.field(theirs, path)?.value ?? null)
}

/** A side of a conflict, and the document that it is decided in. */
interface Decision {
  readonly at: Holder
  readonly side: 'mine' | 'theirs'
}

/** The operations that decide a conflict. */
export function decisionOf(places: Places, conflict: Conflict, { at, side }: Decision): readonly Operation[] {
  const { kind, path, mine, theirs } = conflict
  if (kind === 'item') return decidedItem(places, conflict, { at, side })
  if (side === 'mine') return []
  if (kind === 'value') return [{ kind: 'set', path, value: theirs ?? null, before: mine ?? null }]
  const ids = itemsOf(places.field(at, path)?.value).map(idOf)
  return ordering(path, ids, Array.isArray(theirs) ? theirs.map(String) : [])
}

function decidedItem(places: Places, { path, mine, theirs }: Conflict, { at, side }: Decision): readonly Operation[] {
  const [list, id] = [path.slice(0, -1), path.at(-1) ?? '']
  const present = places.item(at, path)
  if (present === null) return []
  const index = itemsOf(places.field(at, list)?.value).indexOf(present)
  const removal: Operation = { kind: 'remove', path: list, id, at: index, value: present }
  if ((side === 'mine' ? mine : theirs) === undefined) return [removal]
  if (side === 'mine' || mine === undefined || !isObject(theirs)) return []
  return [removal, { kind: 'insert', path: list, id, at: index, value: theirs }]
}

/** The moves that put items into an order: each after the one before it. */
function ordering(path: Path, ids: readonly string[], wanted: readonly string[]): readonly Operation[] {
  const moves: Operation[] = []
  let order = ids
  let previous: string | null = null
  for (const id of wanted.filter((one) => ids.includes(one))) {
    const from = order.indexOf(id)
    const others: readonly string[] = order.filter((one) => one !== id)
    const to = previous === null ? from : others.indexOf(previous) + 1
    if (to !== from) moves.push({ kind: 'move', path, id, from, to })
    order = [...others.slice(0, to), id, ...others.slice(to)]
    previous = id
  }
  return moves
}
