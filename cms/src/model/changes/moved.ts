/** The fewest of the items of two orders that, moved, explain the newer one: all but a longest increasing sequence. */
export function movedItems(older: readonly string[], newer: readonly string[]): ReadonlySet<string> {
  const positions = new Map(older.map((id, index) => [id, index]))
  const common = newer.filter((id) => positions.has(id))
  const positionOf = (id: string) => positions.get(id) ?? 0
  /**
   * The last items of the longest sequences of each length: of all that are possible the earliest in the older order.
   */
  const lasts: string[] = []
  const before = new Map<string, string | undefined>()
  for (const id of common) {
    const length = firstNotBefore(lasts, (last) => positionOf(last) < positionOf(id))
    before.set(id, lasts[length - 1])
    lasts[length] = id
  }
  const moved = new Set(common)
  for (let id = lasts.at(-1); id !== undefined; id = before.get(id)) moved.delete(id)
  return moved
}

/** The index of the first one for which a test fails that holds for all before it; their number when there is none. */
function firstNotBefore<Item>(items: readonly Item[], isBefore: (item: Item) => boolean): number {
  let [low, high] = [0, items.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const item = items[middle]
    if (item !== undefined && isBefore(item)) low = middle + 1
    else high = middle
  }
  return low
}
