/** A map that evicts the least recently used entry. */
export class LruMap<Key, Value> {
  readonly #limit: number
  readonly #values = new Map<Key, Value>()

  constructor(limit: number) {
    this.#limit = limit
  }

  // Nothing is moved while half of the places are free: that costs many times what reading does.
  get(key: Key): Value | undefined {
    const value = this.#values.get(key)
    if (value !== undefined && this.#values.size >= this.#limit / 2) {
      this.#values.delete(key)
      this.#values.set(key, value)
    }
    return value
  }

  set(key: Key, value: Value): void {
    this.#values.delete(key)
    this.#values.set(key, value)
    if (this.#values.size <= this.#limit) return
    for (const oldest of this.#values.keys()) {
      this.#values.delete(oldest)
      return
    }
  }
}
