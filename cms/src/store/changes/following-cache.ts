import { ByteLru } from '../../base/byte-lru.ts'
import type { Changes } from '../contract/changes.ts'

/** A value, and the last commit that it knows of. */
export interface Followed<Value> {
  readonly value: Value
  readonly since: number
}

/** Brings a value up to date with all that was committed before the call, or makes it anew. */
export type Update<Value> = (cached: Followed<Value> | undefined) => Promise<Value>

/** Bytes of all values; with many documents this many for each, if that is more. */
const [MAX_BYTES, BYTES_OF_ROW] = [12_000_000, 64]

/**
 * What is made of all documents of a list, such as their order. It is made once, and then follows what commits change:
 * only the changed documents are looked at again. Looking twice makes no difference, so it does not matter in which
 * process, and in what order, they were changed. Bounded in bytes, least recently used out first.
 */
export class FollowingCache<Value> {
  readonly #cached: ByteLru<Followed<Value>>
  readonly #updating = new Map<string, Promise<Followed<Value>>>()
  readonly #bytesOf: (value: Value) => number
  readonly #share: number

  /** `bytesOf`: how much memory a value takes, about; `share`: the part of the usual memory that it may take. */
  constructor(bytesOf: (value: Value) => number, share = 1) {
    this.#bytesOf = bytesOf
    this.#share = share
    this.#cached = new ByteLru(MAX_BYTES * share)
  }

  /** The value of a key with all that was committed before the call. Those who ask at the same time share an update. */
  async find(key: string, changes: Changes, update: Update<Value>): Promise<Followed<Value>> {
    const asked = changes.now
    const cached = this.#cached.get(key)
    if (cached?.since === asked) return cached
    for (;;) {
      const updating = this.#updating.get(key)
      if (updating === undefined) return this.#start(key, changes, update)
      const updated = await updating
      if (updated.since >= asked) return updated
    }
  }

  /** May take more memory where there are this many rows. */
  allowFor(rows: number): void {
    this.#cached.maxBytes = Math.max(this.#cached.maxBytes, rows * BYTES_OF_ROW * this.#share)
  }

  /** Makes the value anew when it is asked for again. */
  delete(key: string): void {
    this.#cached.delete(key)
  }

  #start(key: string, changes: Changes, update: Update<Value>): Promise<Followed<Value>> {
    const updating = this.#update(key, changes, update).finally(() => this.#updating.delete(key))
    this.#updating.set(key, updating)
    return updating
  }

  async #update(key: string, changes: Changes, update: Update<Value>): Promise<Followed<Value>> {
    const since = changes.now
    const cached = this.#cached.get(key)
    // What fails half-way is made anew.
    this.#cached.delete(key)
    const followed = { value: await update(cached), since }
    this.#cached.set(key, followed, this.#bytesOf(followed.value))
    return followed
  }
}
