/** What the loaded database holds, as far as requests name it. */
export interface Samples {
  /** How many articles there are. */
  readonly total: number
  /** Some of them, spread evenly. */
  readonly articles: readonly { readonly id: string; readonly slug: string; readonly title: string }[]
  readonly topics: readonly { readonly id: string; readonly slug: string }[]
}

/** At most `count` of the items, spread evenly. */
export function spread<Item>(items: readonly Item[], count: number): Item[] {
  const step = Math.max(1, items.length / count)
  return Array.from({ length: Math.min(count, items.length) }, (_, index) => items[Math.floor(index * step)]).flatMap(
    (item) => (item === undefined ? [] : [item]),
  )
}
