import { isObject, type Json, type JsonObject, joinPath, own } from '../../base/json.ts'
import { ASIDE } from '../../model/values/aside.ts'
import { listOf } from './patch-path.ts'

/** A value that is not where it was, or not as it was. */
export interface LostValue {
  readonly path: string
  readonly value: Json
  /** The value in its place; undefined for none. */
  readonly now: Json | undefined
}

/**
 * Yields all values of `before` that `after` does not have at the same place. Empty ones are missed only where there is
 * something else in their place. Items are known by their ids.
 */
export function* lostValues(before: JsonObject, after: JsonObject, base = ''): Generator<LostValue> {
  for (const [name, value] of Object.entries(before)) {
    if (name === '_id' && base !== '') continue
    yield* lostValue(value, own(after, name), name === ASIDE ? joinPath(base, 'aside') : joinPath(base, name))
  }
}

function* lostValue(value: Json, now: Json | undefined, path: string): Generator<LostValue> {
  if (isEmptyValue(value)) {
    if (now !== undefined && !isEmptyValue(now)) yield { path, value, now }
  } else if (isObject(value) && isObject(now)) yield* lostValues(value, now, path)
  else if (Array.isArray(value) && Array.isArray(now)) yield* lostItems(value, now, path)
  else if (value !== now) yield { path, value, now }
}

function* lostItems(items: readonly Json[], now: readonly Json[], path: string): Generator<LostValue> {
  const texts = new Set(now.filter((item) => !isObject(item)))
  const byId = new Map(now.flatMap((item) => (isObject(item) ? [[item._id, item] as const] : [])))
  for (const [index, item] of items.entries()) {
    if (!isObject(item)) {
      if (!texts.has(item)) yield { path: joinPath(path, String(index)), value: item, now: undefined }
      continue
    }
    const other = byId.get(item._id) ?? (item._id === undefined ? now[index] : undefined)
    yield* lostValue(item, other, joinPath(path, typeof item._id === 'string' ? item._id : String(index)))
  }
}

/** True for what stands for no value, and for lists and objects of nothing else. */
function isEmptyValue(value: Json): boolean {
  if (value === null || value === '' || value === false) return true
  if (typeof value !== 'object') return false
  return Object.entries(value).every(([name, one]) => name === '_id' || name === 'metaType' || isEmptyValue(one))
}

/**
 * Empties the value that a problem's path names, or the whole field it lies in; an item of a list is removed. False where
 * there is none.
 */
export function removeAt(fields: JsonObject, path: string): boolean {
  const steps = path.split('.')
  const last = steps.pop() ?? ''
  let at: Json | undefined = fields
  for (const step of steps) at = stepInto(at, step)
  return removeStep(at, last) || (steps.length > 0 && removeAt(fields, steps.join('.')))
}

function stepInto(at: Json | undefined, step: string): Json | undefined {
  const list = listOf(at)
  if (list !== null) return list[indexIn(list, step)]
  return isObject(at) ? own(at, step) : undefined
}

function removeStep(at: Json | undefined, step: string): boolean {
  const list = listOf(at)
  if (list !== null) {
    const index = indexIn(list, step)
    if (index >= 0) list.splice(index, 1)
    return index >= 0
  }
  if (!isObject(at)) return false
  // A relationship is stored under two other names.
  const stem = step.replace(/^_/, '')
  const names = [step, ...(step === stem ? [] : [`${stem}Ids`, `${stem}Fields`])].filter((name) =>
    Object.hasOwn(at, name),
  )
  for (const name of names) {
    // Its absence would stand for the default of its field.
    if (name === step && at[name] !== null) at[name] = null
    else delete at[name]
  }
  return names.length > 0
}

function indexIn(list: readonly Json[], step: string): number {
  const byId = list.findIndex((item) => isObject(item) && item._id === step)
  const index = Number(step)
  return byId < 0 && Number.isInteger(index) && index >= 0 && index < list.length ? index : byId
}
