/** An entry takes that much beside its key and its value. */
const BYTES_OF_ENTRY = 250
/** What is left of the bytes that are allowed when there were more. */
const LEFT = 0.95
/** Entries among this part of the last ones stay in their place when they are used: moving them costs more than reading. */
const RECENT = 1 / 4

/** Bytes that several entries may hold, or others that do: they count once. */
export interface Shared {
  /** All of them. */
  readonly length: number
  /** Those that are in none of its parts. */
  readonly ownBytes: number
  readonly shared: readonly Shared[]
  /** How many entries, and how many others, hold them; the map counts. */
  holders: number
}

interface Entry<Value> {
  readonly value: Value
  readonly bytes: number
  readonly shared: readonly Shared[]
  /** How many entries had been put in when it got its place in the order. */
  placed: number
}

const NONE: readonly Shared[] = []

/** A map that holds so many bytes at most: the least recently used entries are evicted, or nearly so. */
export class ByteLru<Value> {
  maxBytes: number
  readonly #entries = new Map<string, Entry<Value>>()
  #bytes = 0
  #puts = 0

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes
  }

  /** How many bytes its entries take, about, and how many there are. */
  get size(): { readonly bytes: number; readonly entries: number } {
    return { bytes: this.#bytes, entries: this.#entries.size }
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    if (this.#puts - entry.placed > this.#entries.size * RECENT) this.#place(key, entry)
    return entry.value
  }

  /** `bytes` that the value takes beside what it shares with others; what the key and the entry take is added. */
  set(key: string, value: Value, bytes: number, shared = NONE): void {
    this.delete(key)
    const entry = { value, bytes: bytes + key.length + BYTES_OF_ENTRY, shared, placed: 0 }
    if (shared.reduce((sum, { length }) => sum + length, entry.bytes) > this.maxBytes) return
    this.#puts += 1
    this.#place(key, entry)
    this.#bytes += entry.bytes
    for (const one of shared) this.#hold(one)
    if (this.#bytes > this.maxBytes) this.#evict()
  }

  delete(key: string): void {
    const entry = this.#entries.get(key)
    if (entry === undefined) return
    this.#entries.delete(key)
    this.#bytes -= entry.bytes
    for (const one of entry.shared) this.#release(one)
  }

  #hold(one: Shared): void {
    one.holders += 1
    if (one.holders > 1) return
    this.#bytes += one.ownBytes
    for (const part of one.shared) this.#hold(part)
  }

  #release(one: Shared): void {
    one.holders -= 1
    if (one.holders > 0) return
    this.#bytes -= one.ownBytes
    for (const part of one.shared) this.#release(part)
  }

  /** At the end: it is the last to go. */
  #place(key: string, entry: Entry<Value>): void {
    entry.placed = this.#puts
    this.#entries.delete(key)
    this.#entries.set(key, entry)
  }

  clear(): void {
    for (const key of this.#entries.keys()) this.delete(key)
  }

  /** Several at a time: finding the oldest one takes as long as many have gone before it. */
  #evict(): void {
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.maxBytes * LEFT || this.#entries.size === 1) return
      this.delete(oldest)
    }
  }
}
