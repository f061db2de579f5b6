/** Bytes of an entry without its key and value. */
const BYTES_OF_ENTRY = 250
/** Eviction goes on until this share of the allowed bytes is left. */
const LEFT = 0.95

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
}

const NONE: readonly Shared[] = []

/** A map that is bounded in bytes: it evicts the least recently used entries. */
export class ByteLru<Value> {
  maxBytes: number
  readonly #entries = new Map<string, Entry<Value>>()
  #bytes = 0

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
    this.#putLast(key, entry)
    return entry.value
  }

  /** `bytes`: of the value without what it shares; those of the key and the entry are added. */
  set(key: string, value: Value, bytes: number, shared = NONE): void {
    this.delete(key)
    const entry = { value, bytes: bytes + key.length + BYTES_OF_ENTRY, shared }
    if (shared.reduce((sum, { length }) => sum + length, entry.bytes) > this.maxBytes) return
    this.#putLast(key, entry)
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

  /** Makes an entry the last to be evicted. */
  #putLast(key: string, entry: Entry<Value>): void {
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
