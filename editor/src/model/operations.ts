import type { Json, JsonObject } from 'quire-client'
import { idOf, itemsOf, kindOf, withItems } from './fields.ts'
import type { Operation } from './form.ts'
import type { Holder, Places } from './places.ts'

/** The operation that takes another one back. */
export function inverse(operation: Operation): Operation {
  const { path } = operation
  switch (operation.kind) {
    case 'set':
      return { kind: 'set', path, value: operation.before, before: operation.value }
    case 'insert':
      return { ...operation, kind: 'remove' }
    case 'remove':
      return { ...operation, kind: 'insert' }
    case 'move':
      return { ...operation, from: operation.to, to: operation.from }
  }
}

/**
 * An operation as it does what it says to these values: with the value that it replaces or removes, and indexes that
 * exist. Null where its place is gone.
 */
export function settled(places: Places, at: Holder, operation: Operation): Operation | null {
  const { path } = operation
  const place = places.field(at, path)
  if (place === null) return null
  if (operation.kind === 'set') return { ...operation, before: place.value }
  if (kindOf(place.field) !== 'items') return null
  const items = itemsOf(place.value)
  const index = items.findIndex((item) => idOf(item) === operation.id)
  const item = items[index]
  if (operation.kind === 'insert') {
    const isFree = item === undefined && idOf(operation.value) === operation.id
    return isFree ? { ...operation, at: within(operation.at, items.length) } : null
  }
  if (item === undefined) return null
  if (operation.kind === 'remove') return { ...operation, at: index, value: item }
  return { ...operation, from: index, to: within(operation.to, items.length - 1) }
}

/** The values after a settled operation; null where its place is gone. */
export function applied(places: Places, at: Holder, operation: Operation): JsonObject | null {
  return places.change(at, operation.path, ({ field, value }): Json => {
    if (operation.kind === 'set') return operation.value
    const items = itemsOf(value)
    const others = items.filter((item) => idOf(item) !== operation.id)
    if (operation.kind === 'remove') return withItems(field, value, others)
    const to = operation.kind === 'insert' ? operation.at : operation.to
    const placed = operation.kind === 'insert' ? [operation.value] : items.filter((item) => !others.includes(item))
    return withItems(field, value, [...others.slice(0, to), ...placed, ...others.slice(to)])
  })
}

function within(index: number, last: number): number {
  return Math.max(0, Math.min(index, last))
}
