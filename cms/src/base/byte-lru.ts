/** A map that holds so many bytes at most: the least recently used entries are evicted. */
export class ByteLru<Value> {
  readonly #maxBytes: number
  readonly #entries = new Map<string, { readonly value: Value; readonly bytes: number }>()
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
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
    this.#entries.set(key, entry)
    this.#bytes += entry.bytes
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#maxBytes) return
      this.delete(oldest)
    }
  }

  delete(key: string): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0
    this.#entries.delete(key)
  }
}

const BYTES_OF_ENTRY = 300
