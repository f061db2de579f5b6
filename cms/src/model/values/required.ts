import type { Problem } from '../../base/errors.ts'
import type { JsonObject } from '../../base/json.ts'
import type { Field, Fields } from '../field-type/field-type.ts'
import { countOf, isTooFew, tooFewMessage } from '../field-type/outside.ts'
import { conditionHolds, isEmpty, type LocatedField, storedValue, topOf, walk } from './walk.ts'

/** Stored values, and the fields of the type that they were stored with. */
interface StoredFields {
  readonly fields: Fields
  readonly values: JsonObject
}

/** Whether the writer is asked for a field, and for what it holds. */
type Asks = (field: Field) => boolean

/** Selects the required fields that count. */
interface RequiredOptions {
  /** The top-level fields to check; those whose condition did not hold for the first of `before` are checked, too. */
  readonly only?: ReadonlySet<string> | undefined
  /**
   * Earlier contents. A field that was already empty in a stored item, widget or related document may stay empty, also
   * where the item was moved to; a new item that reuses its id may not.
   */
  readonly before?: readonly StoredFields[]
  /** All when left out. */
  readonly asks?: Asks
}

/** Required fields that are empty, at any depth, if their own conditions and those of their containers hold. */
export function requiredProblems(
  fields: Fields,
  values: JsonObject,
  { only, before = [], asks = () => true }: RequiredOptions = {},
): Problem[] {
  const isLookedInto = ({ field }: LocatedField) => !only || only.has(field.name) || appliesNewly(field, before)
  const missing = [...missingFields(fields, values, asks)].filter((one) => isLookedInto(topOf(one)))
  if (missing.length === 0) return []
  const lacked = before.flatMap((one) => [...missingFields(one.fields, one.values, asks)])
  return newlyMissing(missing, lacked, { fields, values }).map(({ field, path }) => ({
    path,
    name: 'required',
    message: `${field.label} is required.`,
  }))
}

function* missingFields(fields: Fields, values: JsonObject, asks: Asks): Generator<LocatedField> {
  for (const located of walk(fields, values)) {
    const { field } = located
    const isMissing = field.required && !field.type.computed && isEmpty(field, located.values)
    if (isMissing && isRelevant(located, asks)) yield located
  }
}

/** A field that nothing else is: where it lies in the item around it follows from the field. */
type PlacesOfItems = ReadonlyMap<Field, ReadonlyMap<string, Set<string>>>

/** Drops fields that were missing before in the same item: one for each, at its old place or its new one. */
function newlyMissing(
  missing: readonly LocatedField[],
  lacked: readonly LocatedField[],
  now: StoredFields,
): LocatedField[] {
  const places = placesOfItems(lacked)
  const placesOf = (one: LocatedField) => places.get(one.field)?.get(itemAround(one) ?? '') ?? new Set<string>()
  const changed = missing.filter((one) => !placesOf(one).has(one.path))
  if (changed.length === 0 || places.size === 0) return changed
  const paths = new Set([...walk(now.fields, now.values)].map(({ path }) => path))
  return changed.filter((one) => {
    const left = [...placesOf(one)].find((path) => !paths.has(path))
    return left === undefined || !placesOf(one).delete(left)
  })
}

function placesOfItems(lacked: readonly LocatedField[]): PlacesOfItems {
  const places = new Map<Field, Map<string, Set<string>>>()
  for (const one of lacked) {
    const item = itemAround(one)
    if (item === null) continue
    const ofField = places.get(one.field) ?? new Map<string, Set<string>>()
    places.set(one.field, ofField.set(item, (ofField.get(item) ?? new Set()).add(one.path)))
  }
  return places
}

/** The id of the innermost item or widget around a field, with those of related documents in it; null outside of all. */
function itemAround({ field, path, parent }: LocatedField): string | null {
  if (parent === null) return null
  const step = path.slice(parent.path.length + 1, -field.name.length - 1)
  // Many relationships may name a document.
  if (parent.field.type.property) return `${itemAround(parent) ?? ''} ${step}`
  // Steps into an object are empty.
  return step === '' ? itemAround(parent) : step
}

function appliesNewly({ if: condition }: Field, [stored]: readonly StoredFields[]): boolean {
  return condition !== null && stored !== undefined && !conditionHolds(condition, stored.values)
}

/** Whether a field counts: its own condition and those of its containers hold, and the writer is asked for all of them. */
export function isRelevant(located: LocatedField | null, asks: Asks): boolean {
  if (located === null) return true
  const { field, values, parent } = located
  return asks(field) && (field.if === null || conditionHolds(field.if, values)) && isRelevant(parent, asks)
}

/** Selects the lists that count. */
interface ShortListOptions {
  readonly asks: Asks
  /** An earlier content: a list may stay as short as it was there. */
  readonly before: StoredFields | null
}

/** Lists at any depth that have some items, but fewer than their `min`, if their conditions hold. */
export function shortListProblems(fields: Fields, values: JsonObject, { asks, before }: ShortListOptions): Problem[] {
  const former = before === null ? new Map<string, number>() : countsIn(before)
  return [...walk(fields, values)].flatMap((located): Problem[] => {
    const { field, path } = located
    const min = leastOf(field)
    if (min === 0 || !isTooFew(countOf(storedValue(field, located.values)), min, [former.get(path) ?? 0])) return []
    return isRelevant(located, asks) ? [{ path, name: 'min', message: tooFewMessage(min) }] : []
  })
}

/** How many items a list has at least, unless it has none; 0 for other fields. */
function leastOf({ type, options }: Field): number {
  // `as`: what counts items declares `min` (`amountBounds`).
  return type.countsItems ? ((options as { readonly min?: number }).min ?? 0) : 0
}

function countsIn({ fields, values }: StoredFields): ReadonlyMap<string, number> {
  const lists = [...walk(fields, values)].filter(({ field }) => field.type.countsItems)
  return new Map(lists.map(({ field, values: holder, path }) => [path, countOf(storedValue(field, holder))]))
}
