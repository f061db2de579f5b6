/** Bytes of an entry without its key and value. */
const BYTES_OF_ENTRY = 250
/** Eviction goes on until this share of the allowed bytes is left. */
const LEFT = 0.95
/**
 * Entries among this share of the newest are not moved when they are used: to move one costs many times what reading it
 * does, and a list of ten documents reads a dozen (75 µs became 120 to 170).
 */
const RECENT = 1 / 4

/** Bytes that several entries, or other shared bytes, may hold: they count once. */
export interface Shared {
  /** With its parts. */
  readonly length: number
  /** Without its parts. */
  readonly ownBytes: number
  readonly shared: readonly Shared[]
  /** How many entries and other shared bytes hold it; maintained by the map. */
  holders: number
}

interface Entry<Value> {
  readonly value: Value
  readonly bytes: number
  readonly shared: readonly Shared[]
  /** The number of the last insertion when it was put last in order. */
  placed: number
}

const NONE: readonly Shared[] = []

/** A map that is bounded in bytes: it evicts roughly the least recently used entries. */
export class ByteLru<Value> {
  maxBytes: number
  readonly #entries = new Map<string, Entry<Value>>()
  #bytes = 0
  #puts = 0

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes
  }

  /** About how many bytes its entries take, and how many there are. */
  get size(): { readonly bytes: number; readonly entries: number } {
    return { bytes: this.#bytes, entries: this.#entries.size }
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    if (this.#puts - entry.placed > this.#entries.size * RECENT) this.#place(key, entry)
    return entry.value
  }

  /** `bytes`: of the value without what it shares; those of the key and the entry are added. */
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

  /** Puts an entry last in order: it is evicted last. */
  #place(key: string, entry: Entry<Value>): void {
    entry.placed = this.#puts
    this.#entries.delete(key)
    this.#entries.set(key, entry)
  }

  clear(): void {
    for (const key of this.#entries.keys()) this.delete(key)
  }

  /** Several at a time: finding the oldest entry of a `Map` takes time for each one deleted before it. */
  #evict(): void {
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.maxBytes * LEFT || this.#entries.size === 1) return
      this.delete(oldest)
    }
  }
}
