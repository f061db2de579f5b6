import type { ByteLru, Shared } from '../base/byte-lru.ts'
import { type Basis, type Changes, currentSources, Sources } from '../store/store.ts'

/** A cached value, and what it was made of. It may have several keys, and counts once. */
export interface Entry<Value> extends Shared {
  readonly value: Value
  readonly basis: Basis
}

/** Holds the entries of several caches within one number of bytes. */
export type CacheMemory = ByteLru<Entry<unknown>>

/** Of a name, or of what is known of a part. */
const BYTES_OF_SOURCE = 16
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
  readonly memory: CacheMemory
  /** What its keys begin with, so that they are no other cache's. */
  readonly prefix: string
  /** False for what only the caller may get for whom it was made. */
  isForAll(value: Value): boolean
  /** How many bytes a value takes, about, beside what it shares. */
  bytesOf(value: Value): number
  /** What of it other values may hold, too. */
  sharedOf?(value: Value): readonly Shared[]
}

/**
 * What was made of the content, cached while that stands: each entry knows of what it was made. What is made of cached
 * parts is made of what these were made of. Bounded in bytes, least recently used out first.
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

  /** What is cached under a key, if it still stands. */
  get(key: string): Value | undefined {
    const { memory, prefix } = this.#options
    const changes = this.#options.changes()
    const entry = memory.get(prefix + key)
    if (changes === null || entry === undefined) return undefined
    if (!entry.basis.stands(changes)) {
      memory.delete(prefix + key)
      return undefined
    }
    currentSources()?.use(entry.basis)
    // `as`: what has this prefix was put there by `#keep`.
    return entry.value as Value
  }

  /** Puts the same in another form in the place of what is cached under a key. */
  replace(key: string, value: Value): void {
    const { memory, prefix } = this.#options
    const entry = memory.get(prefix + key)
    if (entry !== undefined) this.#keep([key], { value, basis: entry.basis })
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
      if (sources.basis.hasStoodSince(asked) || isCurrent(making, changes)) {
        handOn(sources)
        return value
      }
    }
  }

  /** Makes a value anew, and caches it under each of the keys that it has. */
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
      if (sources.areKnown && this.#options.isForAll(value)) this.#keep(keysOf(value), { value, basis })
      if (!sources.areKnown) currentSources()?.noteUnknown()
      return value
    } catch (error) {
      // A failure depends on what was read, too: whoever goes on without the value is made of that.
      handOn(sources)
      throw error
    }
  }

  #keep(keys: readonly string[], { value, basis }: Pick<Entry<Value>, 'value' | 'basis'>): void {
    const { memory, prefix, bytesOf, sharedOf, changes } = this.#options
    const known = changes()
    if (known === null || !basis.stands(known)) return
    const ownBytes = bytesOf(value) + BYTES_OF_SOURCE * basis.size
    const shared = sharedOf?.(value) ?? []
    const length = shared.reduce((sum, one) => sum + one.length, ownBytes)
    if (length > memory.maxBytes * LARGEST) return
    const entry: Entry<Value> = { value, basis, length, ownBytes, shared, holders: 0 }
    for (const key of keys) memory.set(prefix + key, entry, 0, [entry])
  }
}

/** What is made with something is made of what that was made of. */
function handOn({ basis, areKnown }: Sources): void {
  currentSources()?.use(basis)
  if (!areKnown) currentSources()?.noteUnknown()
}

/** Whether nothing has changed of what it is made of, as far as that is known yet. */
function isCurrent({ sources }: Making<unknown>, changes: Changes): boolean {
  return sources.basis.stands(changes)
}
