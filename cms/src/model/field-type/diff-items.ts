import type { JsonObject } from '../../base/json.ts'
import type { Difference, Part, PartDifference } from './field-type.ts'

/** A list of items or widgets on both sides. */
interface ItemLists {
  readonly kind: 'array' | 'area'
  readonly older: readonly JsonObject[]
  readonly newer: readonly JsonObject[]
  /** An item of a list, counted from 1. */
  part(holder: JsonObject, ordinal: number): Part
  /** Whether two items with one id are the same item. */
  isSame(older: JsonObject, newer: JsonObject): boolean
}

/**
 * The order of the items that both lists have, then item by item as they stand in the newer list; those that are gone
 * follow the one that they followed.
 */
export function* diffItems(lists: ItemLists): Generator<Difference> {
  const older = numbered(lists.older, lists)
  const newer = numbered(lists.newer, lists)
  const isIn = (parts: ReadonlyMap<string, Part>) => (part: Part, id: string) => {
    const other = parts.get(id)
    return other !== undefined && lists.isSame(other.holder, part.holder)
  }
  yield { of: 'order', kind: lists.kind, old: kept(older, isIn(newer)), new: kept(newer, isIn(older)) }
  const kind = lists.kind === 'area' ? 'widget' : 'arrayItem'
  const gone = goneAfter(kind, older, isIn(newer))
  yield* gone.get('') ?? []
  for (const [id, part] of newer) {
    const before = isIn(older)(part, id) ? (older.get(id) ?? null) : null
    yield { of: 'part', kind, older: before, newer: part }
    if (before) yield* gone.get(id) ?? []
  }
}

type IsCommon = (part: Part, id: string) => boolean

function numbered(items: readonly JsonObject[], { part }: ItemLists): ReadonlyMap<string, Part> {
  return new Map(items.map((item, index) => [String(item._id), part(item, index + 1)]))
}

function kept(parts: ReadonlyMap<string, Part>, isCommon: IsCommon): Part[] {
  return [...parts].filter(([id, part]) => isCommon(part, id)).map(([, part]) => part)
}

/** The items that are gone, by the id of the last one before them that is still there; empty for the beginning. */
function goneAfter(
  kind: PartDifference['kind'],
  older: ReadonlyMap<string, Part>,
  isCommon: IsCommon,
): ReadonlyMap<string, Difference[]> {
  const gone = new Map<string, Difference[]>()
  let last = ''
  for (const [id, part] of older) {
    if (isCommon(part, id)) last = id
    else {
      const here = gone.get(last) ?? []
      gone.set(last, here)
      here.push({ of: 'part', kind, older: part, newer: null })
    }
  }
  return gone
}
