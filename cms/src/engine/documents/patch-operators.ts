import { invalidFields } from '../../base/errors.ts'
import { isObject, type Json, type JsonObject, own } from '../../base/json.ts'
import { sameJson } from '../../base/same-json.ts'
import { DocumentId } from '../../model/document.ts'
import { idOf, listAt, placeOf, unknownPlace } from './patch-path.ts'

/** Whether what is not there refuses the patch, or is left out. */
export type Missing = 'refuse' | 'skip'

/** Changes, in place, what a path of the target names. */
export type Operator = (target: JsonObject, path: string, operand: unknown, missing: Missing) => void

/** `$push`: appends a value, or `{ $each, $position | $before | $after }`. */
export function push(target: JsonObject, path: string, operand: unknown, missing: Missing): void {
  const list = listAt(target, path)
  const { values, options } = readValues(operand, path, ['$position', '$before', '$after'])
  list.splice(pushPlace(list, options, path, missing), 0, ...values)
}

/** `$addToSet`: appends what is not there yet; a value or `{ $each }`. */
export function addToSet(target: JsonObject, path: string, operand: unknown): void {
  const list = listAt(target, path)
  for (const value of compared(readValues(operand, path, []).values, path)) {
    if (!list.some((present) => isSame(present, value))) list.push(value)
  }
}

/** `$pullAll`: removes every occurrence of the values. */
export function pullAll(target: JsonObject, path: string, operand: unknown): void {
  const list = listAt(target, path)
  const values = compared(readList(operand, path), path)
  keep(list, (present) => !values.some((value) => isSame(present, value)))
}

/** `$pullAllById`: removes the items with these `_id`s, which must be there. */
export function pullAllById(target: JsonObject, path: string, operand: unknown, missing: Missing): void {
  const list = listAt(target, path)
  const placesById = new Map(list.map((item, place) => [idOf(item), place]))
  const placeOfId = (given: Json) => {
    const bare = typeof given === 'string' ? DocumentId.parse(given)?.docId : undefined
    return placesById.get(String(given)) ?? placesById.get(bare ?? '') ?? placeOf([], given, path)
  }
  const ids = readList(operand, path)
  const places = new Set(
    missing === 'skip' ? ids.flatMap((id) => placesById.get(String(id)) ?? []) : ids.map(placeOfId),
  )
  keep(list, (_present, place) => !places.has(place))
}

/** `$move`: `{ $item, $before | $after }`, each an `_id`: puts an item before or after another one. */
export function move(target: JsonObject, path: string, operand: unknown): void {
  const list = listAt(target, path)
  if (!isObject(operand)) throw wrong(path, '$move takes { $item, $before } or { $item, $after }.')
  assertKeys(operand, ['$item', '$before', '$after'], path)
  const from = placeOf(list, bareId(list, operand.$item), path)
  if (operand.$before === undefined && operand.$after === undefined) throw wrong(path, 'Name $before or $after.')
  if ([operand.$before, operand.$after].some((anchor) => bareId(list, anchor) === bareId(list, operand.$item))) {
    throw wrong(path, 'An item cannot be moved before or after itself.')
  }
  const others = list.filter((_item, place) => place !== from)
  const to = anchoredPlace(others, operand, path)
  list.splice(0, list.length, ...others.slice(0, to), ...list.slice(from, from + 1), ...others.slice(to))
}

interface Anchors {
  readonly [name: string]: unknown
}

/** Where to add values. Where another copy has no such place, they go to the end. */
function pushPlace(list: readonly Json[], options: Anchors, path: string, missing: Missing): number {
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
    throw wrong(path, 'Name only one of $position, $before and $after.')
  }
  if ($before !== undefined) return placeOf(list, bareId(list, $before), path)
  if ($after !== undefined) return placeOf(list, bareId(list, $after), path) + 1
  if ($position === undefined) return list.length
  if (typeof $position !== 'number' || !Number.isInteger($position) || $position < 0 || $position > list.length) {
    throw unknownPlace(path, `$position must be a whole number from 0 to ${list.length}.`)
  }
  return $position
}

function readValues(
  operand: unknown,
  path: string,
  optionNames: readonly string[],
): { values: Json[]; options: { readonly [name: string]: unknown } } {
  if (!isObject(operand) || !Object.hasOwn(operand, '$each')) return { values: [operand as Json], options: {} }
  assertKeys(operand, ['$each', ...optionNames], path)
  return { values: readList(own(operand, '$each'), path), options: operand }
}

function readList(operand: unknown, path: string): Json[] {
  if (!Array.isArray(operand)) throw wrong(path, 'A list is expected here.')
  return operand
}

/** How many values may be compared with a list at once. */
const MOST_COMPARED = 1_000

function compared(values: readonly Json[], path: string): readonly Json[] {
  if (values.length <= MOST_COMPARED) return values
  const message = `Send ${MOST_COMPARED} values at most at a time.`
  throw invalidFields([{ path, name: 'max', message }])
}

function assertKeys(operand: { readonly [name: string]: unknown }, allowed: readonly string[], path: string): void {
  const unknown = Object.keys(operand).filter((key) => !allowed.includes(key))
  if (unknown.length > 0) throw wrong(path, `${unknown[0]} is not known here. Use ${allowed.join(', ')}.`)
}

/** Related documents are the same when their ids are; everything else by its whole value. */
function isSame(present: Json, value: Json): boolean {
  const id = idOf(present)
  const given = typeof value === 'string' ? value : idOf(value)
  if (id !== null && given !== null && isIdOf(given, id)) return true
  return sameJson(present, value)
}

/** Whether an id, bare or in full, is of this document; without parsing it, since lists are compared with lists. */
function isIdOf(given: string, id: string): boolean {
  return given.startsWith(id) && (given.length === id.length || given[id.length] === ':')
}

/** Ids of related documents may be given in full. */
function bareId(list: readonly Json[], id: unknown): unknown {
  if (typeof id !== 'string' || list.some((item) => idOf(item) === id)) return id
  return DocumentId.parse(id)?.docId ?? id
}

function keep(list: Json[], isKept: (present: Json, place: number) => boolean): void {
  const kept = list.filter(isKept)
  list.splice(0, list.length, ...kept)
}

function wrong(path: string, message: string): Error {
  return invalidFields([{ path, name: 'invalid', message }])
}
