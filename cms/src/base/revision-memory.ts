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
  readonly #making = new Map<string, Promise<unknown>>()
  #of: string | null = null
  #bytes = 0

  constructor(revision: () => string | null, maxBytes = 16 * 1024 * 1024) {
    this.#revision = revision
    this.#maxBytes = maxBytes
  }

  /**
   * The value of this name, or what `make` makes, once, however many ask at a time: JSON, which nobody may change. What
   * was begun under an older revision is answered to those who asked then, and not kept.
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
    if (revision === null) return make()
    // `as`: see above.
    return (this.#making.get(name) as Promise<Value> | undefined) ?? this.#make(name, revision, make)
  }

  #make<Value>(name: string, revision: string, make: () => Promise<Value>): Promise<Value> {
    const making = make()
      .then((value) => {
        if (this.#current() === revision) this.#keep(name, value)
        return value
      })
      .finally(() => {
        if (this.#making.get(name) === making) this.#making.delete(name)
      })
    this.#making.set(name, making)
    return making
  }

  #current(): string | null {
    const revision = this.#revision()
    if (revision !== this.#of) {
      this.#entries.clear()
      this.#making.clear()
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
