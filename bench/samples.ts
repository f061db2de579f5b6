/** The documents of the loaded database that requests name. */
export interface Samples {
  /** How many articles there are. */
  readonly total: number
  /** Some of them, spread evenly. */
  readonly articles: readonly { readonly id: string; readonly slug: string; readonly title: string }[]
  readonly topics: readonly { readonly id: string }[]
  readonly images: readonly { readonly id: string }[]
  /** Some pages of the tree, spread evenly. */
  readonly pages: readonly string[]
  /** The key of an editor. */
  readonly key: string
}

/** The costs of loading. */
export interface Loading {
  /** When, as ISO 8601. */
  readonly at: string
  /** Of the articles, without and with search. */
  readonly seconds: number
  readonly indexedSeconds: number
  /** Of the database file for each article; null where the database is no file. */
  readonly bytesEach: number | null
}

/** At most `count` of the items, spread evenly. */
export function spread<Item>(items: readonly Item[], count: number): Item[] {
  const step = Math.max(1, items.length / count)
  return Array.from({ length: Math.min(count, items.length) }, (_, index) => items[Math.floor(index * step)]).flatMap(
    (item) => (item === undefined ? [] : [item]),
  )
}
