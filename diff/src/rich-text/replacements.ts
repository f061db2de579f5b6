import type { Alignment } from '../words/words.ts'

/**
 * Returns for each word of both texts the last matched word up to it, as an index of the newer one: a replaced part and
 * its replacement have the same.
 */
export function lastMatches({ toNewer, toOlder }: Alignment): {
  readonly older: Int32Array
  readonly newer: Int32Array
} {
  const older = new Int32Array(toNewer.length)
  const newer = new Int32Array(toOlder.length)
  for (let index = 0, last = -1; index < older.length; index += 1) {
    const match = toNewer[index] ?? -1
    if (match >= 0) last = match
    older[index] = last
  }
  for (let index = 0, last = -1; index < newer.length; index += 1) {
    if ((toOlder[index] ?? -1) >= 0) last = index
    newer[index] = last
  }
  return { older, newer }
}

/** Items by a key: those with the same key are taken one by one, in their order. */
export class ItemsByKey<Item> {
  readonly #items: Map<string, Item[]>
  readonly #keyOf: (item: Item) => string

  constructor(items: readonly Item[], keyOf: (item: Item) => string) {
    this.#keyOf = keyOf
    this.#items = Map.groupBy(items.toReversed(), keyOf)
  }

  /** Takes the first that is left of those with the key of an item. */
  take(like: Item): Item | undefined {
    return this.#items.get(this.#keyOf(like))?.pop()
  }

  /** Items that have not been taken. */
  get left(): Item[] {
    return [...this.#items.values()].flatMap((items) => items.toReversed())
  }
}

/** Returns two lists without the items that have an equal one in the other list. */
export function withoutPairs<Item>(
  older: readonly Item[],
  newer: readonly Item[],
  keyOf: (item: Item) => string,
): [older: Item[], newer: Item[]] {
  const unpairedOlder = new ItemsByKey(older, keyOf)
  const unpaired = newer.filter((item) => unpairedOlder.take(item) === undefined)
  return [unpairedOlder.left, unpaired]
}
