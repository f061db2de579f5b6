/** Random choices that a seed repeats. */
export class Dice {
  #state: number

  constructor(seed: number) {
    this.#state = seed | 0
  }

  /** From 0 to less than `count`. */
  below(count: number): number {
    return Math.floor(this.#next() * count)
  }

  isBelow(chance: number): boolean {
    return this.#next() < chance
  }

  /** One of the items, of which there is one at least. */
  pick<Item>(items: readonly [Item, ...Item[]] | readonly Item[]): Item {
    // `as`: the index is one of the list.
    return items[this.below(items.length)] as Item
  }

  /** Up to so many of the items. */
  some<Item>(items: readonly Item[], most: number): Item[] {
    const count = this.below(Math.min(most, items.length) + 1)
    const left = [...items]
    return Array.from({ length: count }, () => left.splice(this.below(left.length), 1)).flat()
  }

  /** Mulberry32. */
  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
