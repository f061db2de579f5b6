import { BoundedCache, type CacheOptions } from '../../base/bounded-cache.ts'
import type { Changes } from './changes.ts'
import { type Basis, currentSources, Sources } from './sources.ts'

/** Bytes of a name or a part of a basis. */
const BYTES_OF_SOURCE = 16

interface Making<Value> {
  readonly sources: Sources
  readonly value: Promise<Value>
}

/** The options of a `SourcedCache`. */
interface SourcedCacheOptions<Value> extends CacheOptions<Value> {
  /** The changes of the store: null while nothing may be answered from memory. */
  changes(): Changes | null
  /** False for values that only the caller they were made for may see. Left out: all may be shared. */
  isForAll?(value: Value): boolean
}

/**
 * Caches what is made of the content until that changes: each entry knows what it was made of (`Basis`). A value that
 * is made of cached values depends on all that those were made of.
 */
export class SourcedCache<Value> extends BoundedCache<Value, Basis, Making<Value>> {
  readonly #changes: () => Changes | null
  readonly #isForAll: (value: Value) => boolean

  constructor(options: SourcedCacheOptions<Value>) {
    super(options)
    this.#changes = options.changes
    this.#isForAll = options.isForAll ?? (() => true)
  }

  /** False while nothing can be cached. */
  get isOn(): boolean {
    return this.#changes() !== null
  }

  /** The value of a key, unless what it was made of has changed. */
  get(key: string): Value | undefined {
    const changes = this.#changes()
    const entry = this.entry(key)
    if (changes === null || entry === undefined) return undefined
    if (!entry.proof.isCurrent(changes)) {
      this.delete(key)
      return undefined
    }
    currentSources()?.use(entry.proof)
    return entry.value
  }

  /** Caches a value that was made of this under each of its keys. */
  set(keys: readonly string[], value: Value, basis: Basis): void {
    const changes = this.#changes()
    if (changes !== null && basis.isCurrent(changes)) {
      this.keep(keys, { value, proof: basis, proofBytes: BYTES_OF_SOURCE * basis.size })
    }
  }

  /** Replaces the value of a key by the same value in another form. */
  replace(key: string, value: Value): void {
    const entry = this.entry(key)
    if (entry !== undefined) this.set([key], value, entry.proof)
  }

  /**
   * The cached value, or what `make` makes: once for all who ask at the same time, unless its sources change meanwhile.
   */
  async fill(key: string, make: () => Promise<Value>): Promise<Value> {
    for (;;) {
      const cached = this.get(key)
      if (cached !== undefined) return cached
      const changes = this.#changes()
      if (changes === null) return make()
      const making = this.filling(key)
      if (making === undefined || !making.sources.basis.isCurrent(changes)) return this.#make(key, changes, make)
      const asked = changes.now
      const { sources } = making
      const value = await making.value.catch((error) => {
        sources.passOn()
        throw error
      })
      if (!sources.areKnown || !this.#isForAll(value)) return make()
      // It must show every change that was known when it was asked for.
      if (sources.basis.wasCurrentAt(asked) || sources.basis.isCurrent(changes)) {
        sources.passOn()
        return value
      }
    }
  }

  /** Makes a value, and caches it under each of its keys. */
  make(make: () => Promise<Value>, keysOf: (value: Value) => readonly string[]): Promise<Value> {
    const changes = this.#changes()
    if (changes === null) return make()
    const sources = new Sources(changes)
    return this.#finish({ sources, value: sources.collect(make) }, keysOf)
  }

  #make(key: string, changes: Changes, make: () => Promise<Value>): Promise<Value> {
    const sources = new Sources(changes)
    const making = { sources, value: sources.collect(make) }
    return this.finishing(
      key,
      making,
      this.#finish(making, () => [key]),
    )
  }

  async #finish(making: Making<Value>, keysOf: (value: Value) => readonly string[]): Promise<Value> {
    const { sources } = making
    try {
      const value = await making.value
      const { basis } = sources
      currentSources()?.use(basis)
      if (sources.areKnown && this.#isForAll(value)) this.set(keysOf(value), value, basis)
      if (!sources.areKnown) currentSources()?.recordUnknown()
      return value
    } catch (error) {
      // A caller that goes on without the value depends on what the failure depends on.
      sources.passOn()
      throw error
    }
  }
}
