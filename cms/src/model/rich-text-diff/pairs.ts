/** What is left of two lists without what has its equal in the other. */
export function withoutPairs<Item>(
  older: readonly Item[],
  newer: readonly Item[],
  keyOf: (item: Item) => string,
): [older: Item[], newer: Item[]] {
  const left = Map.groupBy(older, keyOf)
  const unpaired = newer.filter((item) => left.get(keyOf(item))?.shift() === undefined)
  return [[...left.values()].flat(), unpaired]
}
