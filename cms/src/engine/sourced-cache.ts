import { ByteLru } from '../base/byte-lru.ts'
import { type Changes, currentSources, type Name, Sources, stand } from '../store/store.ts'

interface Entry<Value> {
  readonly value: Value
  /** Of what it was made; null: of everything. */
  readonly names: readonly Name[] | null
  /** Until then it is known to stand. */
  since: number
}

const BYTES_OF_NAME = 8
/** No value takes more than this part of the cache. */
const LARGEST = 1 / 4

interface Making<Value> {
  readonly sources: Sources
  readonly value: Promise<Value>
}

/** What a cache is made with. */
export interface SourcedCacheOptions<Value> {
  /** As the store's: null while nothing may be answered from memory. */
  changes(): Changes | null
  readonly maxBytes: number
  /** False for what only the caller may get for whom it was made. */
  isForAll(value: Value): boolean
  /** How many bytes a value takes, about. */
  bytesOf(value: Value): number
}

/** How many bytes a cache holds, about, in how many entries. */
export interface CacheSize {
  readonly bytes: number
  readonly entries: number
}

/**
 * What was made of the content, cached while that stands: each entry knows of what it was made. What is made of cached
 * parts is made of what these were made of. Bounded in bytes, least recently used out first.
 */
export class SourcedCache<Value> {
  readonly #options: SourcedCacheOptions<Value>
  readonly #entries: ByteLru<Entry<Value>>
  readonly #making = new Map<string, Making<Value>>()

  constructor(options: SourcedCacheOptions<Value>) {
    this.#options = options
    this.#entries = new ByteLru(options.maxBytes)
  }

  /** How much it holds. */
  get size(): CacheSize {
    return this.#entries.size
  }

  /** What is cached under a key, if it still stands. */
  get(key: string): Value | undefined {
    const changes = this.#options.changes()
    const entry = this.#entries.get(key)
    if (changes === null || entry === undefined) return undefined
    if (!stand(changes, entry.names, entry.since)) {
      this.#entries.delete(key)
      return undefined
    }
    entry.since = changes.now
    currentSources()?.add(entry.names, entry.since)
    return entry.value
  }

  /** What is cached, or what `make` makes: once, however many ask at a time, unless what it is made of changes meanwhile. */
  async fill(key: string, make: () => Promise<Value>): Promise<Value> {
    for (;;) {
      const cached = this.get(key)
      if (cached !== undefined) return cached
      const changes = this.#options.changes()
      if (changes === null) return make()
      const making = this.#making.get(key)
      if (making === undefined || !isCurrent(making, changes)) return this.#make(key, changes, make)
      const asked = changes.now
      const { sources } = making
      const value = await making.value.catch((error) => {
        handOn(sources)
        throw error
      })
      if (!sources.areKnown || !this.#options.isForAll(value)) return make()
      // What was changed before it was asked for must be in it.
      if (sources.since >= asked || isCurrent(making, changes)) {
        handOn(sources)
        return value
      }
    }
  }

  async #make(key: string, changes: Changes, make: () => Promise<Value>): Promise<Value> {
    const sources = new Sources(changes)
    const making = { sources, value: sources.collect(make) }
    this.#making.set(key, making)
    try {
      const value = await making.value
      this.#keep(key, value, sources)
      return value
    } finally {
      // A failure depends on what was read, too: whoever goes on without the value is made of that.
      handOn(sources)
      if (this.#making.get(key) === making) this.#making.delete(key)
    }
  }

  #keep(key: string, value: Value, sources: Sources): void {
    const { names, since } = sources
    const changes = this.#options.changes()
    if (!sources.areKnown || !this.#options.isForAll(value) || changes === null || !stand(changes, names, since)) return
    const { maxBytes, bytesOf } = this.#options
    const bytes = bytesOf(value) + BYTES_OF_NAME * (names?.length ?? 0)
    if (bytes <= maxBytes * LARGEST) this.#entries.set(key, { value, names, since }, bytes)
  }
}

/** What is made with something is made of what that was made of. */
function handOn({ names, since, areKnown }: Sources): void {
  currentSources()?.add(names, since)
  if (!areKnown) currentSources()?.noteUnknown()
}

/** Whether nothing has changed of what it is made of, as far as that is known yet. */
function isCurrent({ sources }: Making<unknown>, changes: Changes): boolean {
  return stand(changes, sources.names, sources.since)
}
