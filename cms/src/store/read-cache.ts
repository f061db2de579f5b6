import type { Changes, Name } from './changes.ts'

/** What was read under an id; null when there was nothing. */
interface Entry<Value> {
  readonly value: Value | null
  readonly bytes: number
  readonly name: Name
  /** Until then it is known to stand. */
  since: number
}

/** What a cache is made with. */
export interface ReadCacheOptions<Value> {
  /** As the store's: null while nothing may be answered from memory. */
  changes(): Changes | null
  readonly maxBytes: number
  /** How many bytes a value takes, about. */
  bytesOf(value: Value): number
}

/** What is read by ids: all at once, where it is not cached. */
export interface ReadByIds<Value> {
  readonly ids: readonly string[]
  /** What the values depend on beside their ids. */
  readonly scope: string
  /** What is announced when the value changes. */
  nameOf(id: string): Name
  read(ids: readonly string[]): Promise<ReadonlyMap<string, Value>>
}

/** An entry takes that much beside its value. */
const BYTES_OF_ENTRY = 300
/** No value takes more than this part of the cache. */
const LARGEST = 1 / 100

/**
 * What many answers need of others, by its ids: it is read once, and cached while it stands. Bounded in bytes, least
 * recently used out first.
 */
export class ReadCache<Value> {
  readonly #options: ReadCacheOptions<Value>
  readonly #entries = new Map<string, Entry<Value>>()
  #bytes = 0

  constructor(options: ReadCacheOptions<Value>) {
    this.#options = options
  }

  /** The values by their ids, which nobody may change. */
  async get(asked: ReadByIds<Value>): Promise<ReadonlyMap<string, Value>> {
    const changes = this.#options.changes()
    if (changes === null) return asked.read(asked.ids)
    const since = changes.now
    const found = new Map<string, Value>()
    const missing = asked.ids.filter((id) => {
      const entry = this.#standing(`${asked.scope} ${id}`, changes)
      if (entry !== undefined && entry.value !== null) found.set(id, entry.value)
      return entry === undefined
    })
    if (missing.length === 0) return found
    const read = await asked.read(missing)
    for (const id of missing) {
      const value = read.get(id) ?? null
      if (value !== null) found.set(id, value)
      this.#add(`${asked.scope} ${id}`, { value, name: asked.nameOf(id), since, bytes: this.#bytesOf(value) })
    }
    return found
  }

  #standing(key: string, changes: Changes): Entry<Value> | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    if (!changes.stand([entry.name], entry.since)) {
      this.#remove(key, entry)
      return undefined
    }
    entry.since = changes.now
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry
  }

  #bytesOf(value: Value | null): number {
    return BYTES_OF_ENTRY + (value === null ? 0 : this.#options.bytesOf(value))
  }

  #add(key: string, entry: Entry<Value>): void {
    const { maxBytes } = this.#options
    if (entry.bytes > maxBytes * LARGEST) return
    const known = this.#entries.get(key)
    if (known !== undefined) this.#remove(key, known)
    this.#entries.set(key, entry)
    this.#bytes += entry.bytes
    for (const [oldest, entry] of this.#entries) {
      if (this.#bytes <= maxBytes) return
      this.#remove(oldest, entry)
    }
  }

  #remove(key: string, { bytes }: Entry<Value>): void {
    this.#entries.delete(key)
    this.#bytes -= bytes
  }
}
