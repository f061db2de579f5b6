/** An entry takes that much beside its key and its value. */
const BYTES_OF_ENTRY = 300
/** What is left of the bytes that are allowed when there were more. */
const LEFT = 0.95

interface Entry<Value> {
  readonly value: Value
  readonly bytes: number
}

/** A map that holds so many bytes at most: the least recently used entries are evicted. */
export class ByteLru<Value> {
  readonly #maxBytes: number
  readonly #entries = new Map<string, Entry<Value>>()
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** How many bytes its entries take, about, and how many there are. */
  get size(): { readonly bytes: number; readonly entries: number } {
    return { bytes: this.#bytes, entries: this.#entries.size }
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry.value
  }

  /** `bytes` that the value takes; what the key and the entry take is added. */
  set(key: string, value: Value, bytes: number): void {
    this.delete(key)
    const entry = { value, bytes: bytes + 2 * key.length + BYTES_OF_ENTRY }
    if (entry.bytes > this.#maxBytes) return
    this.#entries.set(key, entry)
    this.#bytes += entry.bytes
    if (this.#bytes > this.#maxBytes) this.#evict()
  }

  delete(key: string): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0
    this.#entries.delete(key)
  }

  /** Several at a time: finding the oldest one takes as long as many have gone before it. */
  #evict(): void {
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#maxBytes * LEFT || this.#entries.size === 1) return
      this.delete(oldest)
    }
  }
}
