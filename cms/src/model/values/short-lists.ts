import type { Problem } from '../../base/errors.ts'
import type { JsonObject } from '../../base/json.ts'
import type { Field, Fields } from '../field-type/field-type.ts'
import { countOf, isTooFew, tooFewMessage } from '../field-type/outside.ts'
import { type Asks, isRelevant, type StoredFields } from './required.ts'
import { storedValue, walk } from './walk.ts'

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
