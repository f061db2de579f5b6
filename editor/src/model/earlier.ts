import type { Json, JsonObject } from 'quire-client'
import { docIdOf, idOf, itemsOf, readField } from './fields.ts'
import type { Group, Items, Leaf, OpenDocument, Operation, Path } from './form.ts'
import { isObject, own, sameJson } from './json.ts'

/**
 * Puts the field, item or block at a path back as an earlier state of the document had it, as changes that can be
 * undone: one that was removed comes back at its place, one that was not there goes. False where there is no such place
 * any more, or where it may not be changed.
 */
export function putEarlier(document: OpenDocument, earlier: JsonObject, path: Path): boolean {
  return putInGroup(document, document.root, earlier, path)
}

function putInGroup(document: OpenDocument, group: Group, was: JsonObject, [name = '', ...rest]: Path): boolean {
  const node = group.children.get(name)
  if (node === undefined || node.isLocked || node.field === null) return false
  const value = readField(node.field, was)
  if (node.kind === 'items') return putInList(document, node, itemsOf(value), rest)
  if (node.kind === 'group' && rest.length > 0) return putInGroup(document, node, isObject(value) ? value : {}, rest)
  const now: Json = node.value.peek()
  return putValue(document, node, rest.length > 0 ? withRelatedField(now, value, rest) : value)
}

function putValue(document: OpenDocument, { path, value }: Leaf | Group, next: Json): boolean {
  const before: Json = value.peek()
  return sameJson(before, next) || document.apply({ kind: 'set', path, value: next, before })
}

/** A relationship with one of its fields as it was for one of the related documents. */
function withRelatedField(value: Json, was: Json, [docId, name = '']: Path): Json {
  const [then, now] = [itemsOf(was).find((one) => docIdOf(one) === docId), itemsOf(value)]
  if (then === undefined || !now.some((one) => docIdOf(one) === docId)) return was
  const old = isObject(then._fields) ? (own(then._fields, name) ?? null) : null
  return now.map((one) => {
    if (docIdOf(one) !== docId) return one
    return { ...one, _fields: { ...(isObject(one._fields) ? one._fields : {}), [name]: old } }
  })
}

function putInList(document: OpenDocument, items: Items, was: readonly JsonObject[], [id, ...rest]: Path): boolean {
  const before = was.map(idOf)
  if (id === undefined) return putOrder(document, items, before)
  const item = was.find((one) => idOf(one) === id)
  const isHere = items.ids.peek().includes(id)
  if (item === undefined) {
    if (isHere) items.remove(id)
    return true
  }
  if (!isHere) {
    items.insert(item, placeOf(id, before, items.ids.peek()))
    return true
  }
  return rest.length === 0 || putInGroup(document, items.item(id), item, rest)
}

/** After the nearest of those that came before it and are still there; else first. */
function placeOf(id: string, before: readonly string[], now: readonly string[]): number {
  const neighbour = before.slice(0, before.indexOf(id)).findLast((one) => now.includes(one))
  return neighbour === undefined ? 0 : now.indexOf(neighbour) + 1
}

/** Items that were there before take their former order; the others stay where they are. */
function putOrder(document: OpenDocument, { path, ids }: Items, before: readonly string[]): boolean {
  const now = [...ids.peek()]
  const shared = before.filter((id) => now.includes(id))
  const wanted = now.map((id) => (shared.includes(id) ? '' : id)).map((id) => id || (shared.shift() ?? ''))
  const moves: Operation[] = []
  for (const [to, id] of wanted.entries()) {
    const from = now.indexOf(id)
    if (from === to) continue
    now.splice(to, 0, ...now.splice(from, 1))
    moves.push({ kind: 'move', path, id, from, to })
  }
  return moves.length === 0 || document.apply(...moves)
}
