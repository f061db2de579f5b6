/** Items by a key, to be taken one by one in their order. */
export class Shelf<Item> {
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

  /** What has not been taken. */
  get left(): Item[] {
    return [...this.#items.values()].flatMap((items) => items.toReversed())
  }
}

/** What is left of two lists without what has its equal in the other. */
export function withoutPairs<Item>(
  older: readonly Item[],
  newer: readonly Item[],
  keyOf: (item: Item) => string,
): [older: Item[], newer: Item[]] {
  const shelf = new Shelf(older, keyOf)
  const unpaired = newer.filter((item) => shelf.take(item) === undefined)
  return [shelf.left, unpaired]
}
