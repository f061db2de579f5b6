import { invalidField } from '../../base/errors.ts'
import { canonicalJson, isObject, type Json, type JsonObject, own, type UnknownObject } from '../../base/json.ts'
import { DocumentId } from '../../model/terms/document-id.ts'
import { idOf, indexOf, listAt, unknownPath } from './patch-path.ts'

/** Whether a missing target fails the patch, or is skipped. */
export type Missing = 'refuse' | 'skip'

/** Changes, in place, what a path of the target names. */
export type Operator = (target: JsonObject, path: string, operand: unknown, missing: Missing) => void

/** `$push`: appends a value, or `{ $each, $position | $before | $after }`. */
export function push(target: JsonObject, path: string, operand: unknown, missing: Missing): void {
  const list = listAt(target, path)
  const { values, options } = readValues(operand, path, ['$position', '$before', '$after'])
  const index = pushIndex(list, options, path, missing)
  replaceItems(list, [...list.slice(0, index), ...values, ...list.slice(index)])
}

/**
 * Returns the operand of `$push` without the ids of items that are in the list already: a new item gets its own id,
 * wherever it is put, and takes over nothing that the caller may not see (§5.7). Related documents are named by their
 * ids.
 */
export function withFreeIds(target: JsonObject, path: string, operand: unknown): unknown {
  if (path.slice(path.lastIndexOf('.') + 1).startsWith('_')) return operand
  const ids = new Set(listAt(target, path).map(idOf))
  const freed = (value: unknown) => {
    if (!isObject(value) || typeof value._id !== 'string' || !ids.has(value._id)) return value
    const { _id, ...rest } = value
    return rest
  }
  if (!isObject(operand) || !Object.hasOwn(operand, '$each')) return freed(operand)
  return Array.isArray(operand.$each) ? { ...operand, $each: operand.$each.map(freed) } : operand
}

/** `$addToSet`: appends what is not there yet; a value or `{ $each }`. */
export function addToSet(target: JsonObject, path: string, operand: unknown): void {
  const list = listAt(target, path)
  const ids = new Set(list.map(idOf))
  const wholes = new Set(list.map(canonicalJson))
  for (const value of readValues(operand, path, []).values) {
    if (wholes.has(canonicalJson(value)) || idsNamedBy(value).some((id) => ids.has(id))) continue
    list.push(value)
    ids.add(idOf(value))
    wholes.add(canonicalJson(value))
  }
}

/** `$pullAll`: removes every occurrence of the values. */
export function pullAll(target: JsonObject, path: string, operand: unknown): void {
  const list = listAt(target, path)
  const values = readList(operand, path)
  const ids = new Set<string | null>(values.flatMap(idsNamedBy))
  const wholes = new Set(values.map(canonicalJson))
  keep(list, (present) => !ids.has(idOf(present)) && !wholes.has(canonicalJson(present)))
}

/** `$pullAllById`: removes the items with these `_id`s, which must be there. */
export function pullAllById(target: JsonObject, path: string, operand: unknown, missing: Missing): void {
  const list = listAt(target, path)
  const indexById = new Map(list.map((item, index) => [idOf(item), index]))
  const indexOfId = (given: Json) => {
    const bare = typeof given === 'string' ? DocumentId.parse(given)?.docId : undefined
    return indexById.get(String(given)) ?? indexById.get(bare ?? '')
  }
  const ids = readList(operand, path)
  const indexes = new Set(ids.flatMap((id) => indexOfId(id) ?? (missing === 'skip' ? [] : indexOf([], id, path))))
  keep(list, (_present, index) => !indexes.has(index))
}

/** `$move`: `{ $item, $before | $after }`, each an `_id`: puts an item before or after another one. */
export function move(target: JsonObject, path: string, operand: unknown): void {
  const list = listAt(target, path)
  if (!isObject(operand)) throw invalidField(path, '$move takes { $item, $before } or { $item, $after }.')
  assertKeys(operand, ['$item', '$before', '$after'], path)
  const from = indexOf(list, bareId(list, operand.$item), path)
  if (operand.$before === undefined && operand.$after === undefined) throw invalidField(path, 'Name $before or $after.')
  if ([operand.$before, operand.$after].some((anchor) => bareId(list, anchor) === bareId(list, operand.$item))) {
    throw invalidField(path, 'An item cannot be moved before or after itself.')
  }
  const others = list.filter((_item, index) => index !== from)
  const to = anchoredPlace(others, operand, path)
  replaceItems(list, [...others.slice(0, to), ...list.slice(from, from + 1), ...others.slice(to)])
}

interface Anchors {
  readonly [name: string]: unknown
}

/** Returns the index to add values at. Where another copy has no such index, they go to the end. */
function pushIndex(list: readonly Json[], options: Anchors, path: string, missing: Missing): number {
  try {
    return anchoredPlace(list, options, path)
  } catch (error) {
    if (missing === 'refuse') throw error
    return list.length
  }
}

function anchoredPlace(list: readonly Json[], options: Anchors, path: string): number {
  const { $position, $before, $after } = options
  if ([$position, $before, $after].filter((option) => option !== undefined).length > 1) {
    throw invalidField(path, 'Name only one of $position, $before and $after.')
  }
  if ($before !== undefined) return indexOf(list, bareId(list, $before), path)
  if ($after !== undefined) return indexOf(list, bareId(list, $after), path) + 1
  if ($position === undefined) return list.length
  if (typeof $position !== 'number' || !Number.isInteger($position) || $position < 0 || $position > list.length) {
    throw unknownPath(path, `$position must be a whole number from 0 to ${list.length}.`)
  }
  return $position
}

function readValues(
  operand: unknown,
  path: string,
  optionNames: readonly string[],
): { values: Json[]; options: UnknownObject } {
  if (!isObject(operand) || !Object.hasOwn(operand, '$each')) return { values: [operand as Json], options: {} }
  assertKeys(operand, ['$each', ...optionNames], path)
  return { values: readList(own(operand, '$each'), path), options: operand }
}

function readList(operand: unknown, path: string): Json[] {
  if (!Array.isArray(operand)) throw invalidField(path, 'A list is expected here.')
  return operand
}

function assertKeys(operand: UnknownObject, allowed: readonly string[], path: string): void {
  const unknown = Object.keys(operand).filter((key) => !allowed.includes(key))
  if (unknown.length > 0) throw invalidField(path, `${unknown[0]} is not known here. Use ${allowed.join(', ')}.`)
}

/**
 * The ids an item may have that a value names: related documents are the same when their ids are, and ids may be given
 * in full (`id:locale:mode`). Everything else is compared as a whole, by its canonical text, so that lists are not
 * compared with lists pair by pair.
 */
function idsNamedBy(value: Json): string[] {
  const id = typeof value === 'string' ? value : idOf(value)
  if (id === null) return []
  const [docId = '', locale] = id.split(':', 2)
  return [id, docId, ...(locale === undefined ? [] : [`${docId}:${locale}`])]
}

/** Ids of related documents may be given in full. */
function bareId(list: readonly Json[], id: unknown): unknown {
  if (typeof id !== 'string' || list.some((item) => idOf(item) === id)) return id
  return DocumentId.parse(id)?.docId ?? id
}

function keep(list: Json[], isKept: (present: Json, index: number) => boolean): void {
  replaceItems(list, list.filter(isKept))
}

/** Changes a list in place; `splice` takes only as many items as a call takes arguments. */
export function replaceItems(list: Json[], items: readonly Json[]): void {
  list.length = items.length
  for (const [index, item] of items.entries()) list[index] = item
}
