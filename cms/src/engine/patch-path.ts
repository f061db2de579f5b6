import { invalidFields } from '../base/errors.ts'
import type { Json, JsonObject } from '../base/json.ts'

type Container = JsonObject | Json[]

const FORBIDDEN = new Set(['__proto__', 'prototype', 'constructor'])

/** Sets what a path names: `title`, `body.items.0.content`, `@itemId.content`. Throws `invalid` when it is not there. */
export function assign(target: JsonObject, path: string, value: Json): void {
  const { holder, key } = find(target, path)
  if (Array.isArray(holder)) holder[index(holder, key, path)] = value
  else setProperty(holder, key, value)
}

/** The list that a path names. Throws `invalid` when there is none. */
export function listAt(target: JsonObject, path: string): Json[] {
  const { holder, key } = find(target, path)
  const list = Array.isArray(holder) ? holder[index(holder, key, path)] : ownValue(holder, key)
  if (!Array.isArray(list)) throw unknownPlace(path, `${path} is no list.`)
  return list
}

/** The top-level field that a path leads into. */
export function topLevelName(target: JsonObject, path: string): string {
  const first = path.split('.')[0] ?? ''
  if (!first.startsWith('@')) return first
  for (const [name, value] of Object.entries(target)) {
    if (findById(value, first.slice(1))) return name
  }
  throw unknownPlace(path, `No item with the id ${first.slice(1)} is in this document.`)
}

/** The place in a list of the item with this `_id`. Throws `invalid` when there is none. */
export function placeOf(list: readonly Json[], id: unknown, path: string): number {
  const place = list.findIndex((item) => idOf(item) !== null && idOf(item) === id)
  if (place < 0) throw unknownPlace(path, `No item with the id ${String(id).slice(0, 60)} is in ${path}.`)
  return place
}

/** The `_id` of an item, null for values that have none. */
export function idOf(item: Json | undefined): string | null {
  const isHolder = typeof item === 'object' && item !== null && !Array.isArray(item)
  return isHolder && typeof item._id === 'string' ? item._id : null
}

export function unknownPlace(path: string, message: string): Error {
  return invalidFields([{ path, name: 'unknown', message }])
}

function find(target: JsonObject, path: string): { holder: Container; key: string } {
  const steps = path.split('.')
  const key = steps.pop() ?? ''
  if (key.startsWith('@')) throw unknownPlace(path, 'Name a property of the item: @id.property.')
  let holder: Container = target
  for (const step of steps) holder = stepInto(holder, step, target, path)
  return { holder, key }
}

function stepInto(holder: Container, step: string, target: JsonObject, path: string): Container {
  const next = step.startsWith('@')
    ? findById(target, step.slice(1))
    : Array.isArray(holder)
      ? holder[index(holder, step, path)]
      : ownValue(holder, step)
  if (typeof next !== 'object' || next === null) throw unknownPlace(path, `There is nothing at ${step} to go into.`)
  return next
}

function index(list: readonly Json[], step: string, path: string): number {
  const place = /^\d{1,9}$/.test(step) ? Number(step) : -1
  if (place < 0 || place >= list.length) throw unknownPlace(path, `${step} is no place in this list of ${list.length}.`)
  return place
}

function ownValue(holder: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(holder, key) ? holder[key] : undefined
}

/** Sets an own property and nothing else; a relationship given as ids replaces what was given as documents. */
function setProperty(holder: JsonObject, key: string, value: Json): void {
  if (FORBIDDEN.has(key)) throw unknownPlace(key, `${key} is no field.`)
  if (key.endsWith('Ids')) delete holder[`_${key.slice(0, -'Ids'.length)}`]
  holder[key] = value
}

/** The object with this `_id`, at any depth below a value. */
function findById(value: Json | undefined, id: string): JsonObject | null {
  if (typeof value !== 'object' || value === null) return null
  if (!Array.isArray(value) && value._id === id) return value
  for (const child of Array.isArray(value) ? value : Object.values(value)) {
    const found = findById(child, id)
    if (found) return found
  }
  return null
}
