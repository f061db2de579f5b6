/** Something that was made of the content, and how many bytes it takes, about. */
interface Entry {
  readonly value: unknown
  readonly bytes: number
}

/**
 * What was made of the content, until it changes: everything belongs to one revision and is dropped with it; while the
 * revision is unknown (null) nothing is kept. Bounded in bytes, least recently used out first.
 */
export class RevisionMemory {
  readonly #revision: () => string | null
  readonly #maxBytes: number
  readonly #entries = new Map<string, Entry>()
  #of: string | null = null
  #bytes = 0

  constructor(revision: () => string | null, maxBytes = 16 * 1024 * 1024) {
    this.#revision = revision
    this.#maxBytes = maxBytes
  }

  /**
   * The value of this name, or what `make` makes: JSON, which nobody may change. What was begun under an older revision
   * is answered, and not kept.
   */
  async get<Value>(name: string, make: () => Promise<Value>): Promise<Value> {
    const revision = this.#current()
    const entry = this.#entries.get(name)
    if (entry !== undefined) {
      this.#entries.delete(name)
      this.#entries.set(name, entry)
      // `as`: the name says what it is.
      return entry.value as Value
    }
    const value = await make()
    if (revision !== null && this.#current() === revision) this.#keep(name, value)
    return value
  }

  #current(): string | null {
    const revision = this.#revision()
    if (revision !== this.#of) {
      this.#entries.clear()
      this.#bytes = 0
      this.#of = revision
    }
    return revision
  }

  #keep(name: string, value: unknown): void {
    const bytes = 2 * (name.length + JSON.stringify(value).length) + 200
    if (bytes > this.#maxBytes / 4 || this.#entries.has(name)) return
    this.#entries.set(name, { value, bytes })
    this.#bytes += bytes
    for (const [oldest, { bytes }] of this.#entries) {
      if (this.#bytes <= this.#maxBytes) return
      this.#entries.delete(oldest)
      this.#bytes -= bytes
    }
  }
}
