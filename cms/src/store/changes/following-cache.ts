import { BoundedCache, CacheMemory } from '../../base/bounded-cache.ts'
import type { Changes } from '../terms/changes.ts'

/** A value, and the last commit that it knows of. */
export interface Followed<Value> {
  readonly value: Value
  readonly since: number
}

/** Brings a value up to date with all that was committed before the call, or makes it from scratch. */
type Update<Value> = (cached: Followed<Value> | undefined) => Promise<Value>

/** Bytes of all values; with many documents this many for each, if that is more. */
const [MAX_BYTES, BYTES_OF_ROW] = [12_000_000, 64]

/**
 * Caches values made of all documents of a list, such as their order. A value is made once, and then follows what commits change:
 * only the changed documents are looked at again. Looking twice makes no difference, so it does not matter in which
 * process, and in what order, they were changed.
 */
export class FollowingCache<Value> extends BoundedCache<Value, number, Promise<Followed<Value>>> {
  readonly #memory: CacheMemory
  readonly #share: number

  /** `bytesOf`: how much memory a value takes, about; `share`: the part of the usual memory that it may take. */
  constructor(bytesOf: (value: Value) => number, share = 1) {
    const memory = new CacheMemory(MAX_BYTES * share)
    super({ memory, bytesOf, largest: 1 })
    this.#memory = memory
    this.#share = share
  }

  /** The value of a key with all that was committed before the call. Those who ask at the same time share an update. */
  async find(key: string, changes: Changes, update: Update<Value>): Promise<Followed<Value>> {
    const now = changes.now
    const cached = this.entry(key)
    if (cached?.proof === now) return { value: cached.value, since: now }
    for (;;) {
      const updating = this.filling(key)
      if (updating === undefined) {
        const updated = this.#update(key, changes, update)
        return this.finishing(key, updated, updated)
      }
      const updated = await updating
      if (updated.since >= now) return updated
    }
  }

  /** May take more memory where there are this many rows. */
  allowFor(rows: number): void {
    this.#memory.maxBytes = Math.max(this.#memory.maxBytes, rows * BYTES_OF_ROW * this.#share)
  }

  async #update(key: string, changes: Changes, update: Update<Value>): Promise<Followed<Value>> {
    const since = changes.now
    const cached = this.entry(key)
    // A value that was brought up to date only in part is made from scratch.
    this.delete(key)
    const value = await update(cached && { value: cached.value, since: cached.proof })
    this.keep([key], { value, proof: since })
    return { value, since }
  }
}
