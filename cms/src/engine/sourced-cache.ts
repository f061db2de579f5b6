import type { ByteLru, Shared } from '../base/byte-lru.ts'
import { type Basis, type Changes, currentSources, Sources } from '../store/contract/store.ts'

/** A cached value with its basis. It may have several keys, and its bytes count once. */
export interface Entry<Value> extends Shared {
  readonly value: Value
  readonly basis: Basis
}

/** The memory of several caches, bounded in bytes. */
export type CacheMemory = ByteLru<Entry<unknown>>

/** Bytes of a name or a part of a basis. */
const BYTES_OF_SOURCE = 16
/** The largest share of the memory that one value may take. */
const LARGEST = 1 / 4

interface Making<Value> {
  readonly sources: Sources
  readonly value: Promise<Value>
}

/** The options of a `SourcedCache`. */
export interface SourcedCacheOptions<Value> {
  /** As the store's: null while nothing may be answered from memory. */
  changes(): Changes | null
  readonly memory: CacheMemory
  /** Added to its keys, which share the memory with those of other caches. */
  readonly prefix: string
  /** False for values that only the caller may see for whom they were made. Left out: all may be shared. */
  isForAll?(value: Value): boolean
  /** About how many bytes a value takes, without what it shares. */
  bytesOf(value: Value): number
  /** Its parts that other values may hold, too. */
  sharedOf?(value: Value): readonly Shared[]
}

/**
 * Caches what is made of the content until that changes: each entry knows what it was made of (`Basis`). A value that
 * is made of cached values depends on all that those were made of. The memory is bounded in bytes; the least recently
 * used entries are evicted.
 */
export class SourcedCache<Value> {
  readonly #options: SourcedCacheOptions<Value>
  readonly #making = new Map<string, Making<Value>>()

  constructor(options: SourcedCacheOptions<Value>) {
    this.#options = options
  }

  /** False while nothing can be cached. */
  get isOn(): boolean {
    return this.#options.changes() !== null
  }

  /** The value of a key, unless what it was made of has changed. */
  get(key: string): Value | undefined {
    const { memory, prefix } = this.#options
    const changes = this.#options.changes()
    const entry = memory.get(prefix + key)
    if (changes === null || entry === undefined) return undefined
    if (!entry.basis.isCurrent(changes)) {
      memory.delete(prefix + key)
      return undefined
    }
    currentSources()?.use(entry.basis)
    // `as`: keys with this prefix are set by `#keep` alone.
    return entry.value as Value
  }

  /** Puts the same in another form in the place of what is cached under a key. */
  replace(key: string, value: Value): void {
    const { memory, prefix } = this.#options
    const entry = memory.get(prefix + key)
    if (entry !== undefined) this.#keep([key], { value, basis: entry.basis })
  }

  /**
   * The cached value, or what `make` makes: once for all who ask at the same time, unless its sources change meanwhile.
   */
  async fill(key: string, make: () => Promise<Value>): Promise<Value> {
    for (;;) {
      const cached = this.get(key)
      if (cached !== undefined) return cached
      const changes = this.#options.changes()
      if (changes === null) return make()
      const making = this.#making.get(key)
      if (making === undefined || !making.sources.basis.isCurrent(changes)) return this.#make(key, changes, make)
      const asked = changes.now
      const { sources } = making
      const value = await making.value.catch((error) => {
        handOn(sources)
        throw error
      })
      if (!sources.areKnown || !this.#isForAll(value)) return make()
      // It must show every change that was known when it was asked for.
      if (sources.basis.wasCurrentAt(asked) || sources.basis.isCurrent(changes)) {
        handOn(sources)
        return value
      }
    }
  }

  /** Makes a value, and caches it under each of its keys. */
  make(make: () => Promise<Value>, keysOf: (value: Value) => readonly string[]): Promise<Value> {
    const changes = this.#options.changes()
    if (changes === null) return make()
    const sources = new Sources(changes)
    return this.#finish({ sources, value: sources.collect(make) }, keysOf)
  }

  async #make(key: string, changes: Changes, make: () => Promise<Value>): Promise<Value> {
    const sources = new Sources(changes)
    const making = { sources, value: sources.collect(make) }
    this.#making.set(key, making)
    try {
      return await this.#finish(making, () => [key])
    } finally {
      if (this.#making.get(key) === making) this.#making.delete(key)
    }
  }

  async #finish(making: Making<Value>, keysOf: (value: Value) => readonly string[]): Promise<Value> {
    const { sources } = making
    try {
      const value = await making.value
      const { basis } = sources
      currentSources()?.use(basis)
      if (sources.areKnown && this.#isForAll(value)) this.#keep(keysOf(value), { value, basis })
      if (!sources.areKnown) currentSources()?.noteUnknown()
      return value
    } catch (error) {
      // Whoever goes on without the value depends on what the failure depends on.
      handOn(sources)
      throw error
    }
  }

  #isForAll(value: Value): boolean {
    return this.#options.isForAll?.(value) ?? true
  }

  #keep(keys: readonly string[], { value, basis }: Pick<Entry<Value>, 'value' | 'basis'>): void {
    const { memory, prefix, bytesOf, sharedOf, changes } = this.#options
    const known = changes()
    if (known === null || !basis.isCurrent(known)) return
    const ownBytes = bytesOf(value) + BYTES_OF_SOURCE * basis.size
    const shared = sharedOf?.(value) ?? []
    const length = shared.reduce((sum, one) => sum + one.length, ownBytes)
    if (length > memory.maxBytes * LARGEST) return
    const entry: Entry<Value> = { value, basis, length, ownBytes, shared, holders: 0 }
    const held = [entry]
    for (const key of keys) memory.set(prefix + key, entry, 0, held)
  }
}

/** Passes sources on to whatever uses the value that was made of them. */
function handOn({ basis, areKnown }: Sources): void {
  currentSources()?.use(basis)
  if (!areKnown) currentSources()?.noteUnknown()
}
