import { ByteLru } from '../../base/byte-lru.ts'
import type { Changes, Name } from '../contract/changes.ts'

/** What was read under an id; null when there was nothing. */
interface Entry<Value> {
  readonly value: Value | null
  readonly name: Name
  /** The last commit at which it is known to be unchanged. */
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

/** What to read by ids: what is not cached is read at once, for all callers that ask at the same time. */
export interface ReadByIds<Value> {
  readonly ids: readonly string[]
  /** What the values depend on beside their ids. */
  readonly scope: string
  /** The name under which commits announce changes of the value. */
  nameOf(id: string): Name
  read(ids: readonly string[]): Promise<ReadonlyMap<string, Value>>
}

/** The largest share of the cache that one value may take. */
const LARGEST = 1 / 100

/**
 * Caches rows that many answers need, by id, until a commit changes them. Bounded in bytes; the least recently used are
 * evicted.
 */
export class ReadCache<Value> {
  readonly #options: ReadCacheOptions<Value>
  readonly #entries: ByteLru<Entry<Value>>
  readonly #batches = new Batches<Value>()

  constructor(options: ReadCacheOptions<Value>) {
    this.#options = options
    this.#entries = new ByteLru(options.maxBytes)
  }

  /** The values by id; callers must not change them. */
  async get(asked: ReadByIds<Value>): Promise<ReadonlyMap<string, Value>> {
    const changes = this.#options.changes()
    const found = new Map<string, Value>()
    const missing = asked.ids.filter((id) => {
      const entry = changes === null ? undefined : this.#current(`${asked.scope} ${id}`, changes)
      if (entry !== undefined && entry.value !== null) found.set(id, entry.value)
      return entry === undefined
    })
    if (missing.length === 0) return found
    const since = changes?.now ?? null
    const read = await this.#batches.read(asked.scope, missing, asked.read)
    for (const id of missing) {
      const value = read.get(id) ?? null
      if (value !== null) found.set(id, value)
      if (since !== null) this.#add(`${asked.scope} ${id}`, { value, name: asked.nameOf(id), since })
    }
    return found
  }

  #current(key: string, changes: Changes): Entry<Value> | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    if (!changes.areUnchanged([entry.name], entry.since)) {
      this.#entries.delete(key)
      return undefined
    }
    entry.since = changes.now
    return entry
  }

  #add(key: string, entry: Entry<Value>): void {
    const { maxBytes, bytesOf } = this.#options
    const bytes = entry.value === null ? 0 : bytesOf(entry.value)
    if (bytes <= maxBytes * LARGEST) this.#entries.set(key, entry, bytes)
  }
}

interface Batch<Value> {
  readonly ids: Set<string>
  readonly found: Promise<ReadonlyMap<string, Value>>
}

/** Joins reads by id that are asked for in the same tick into one. */
export class Batches<Value> {
  readonly #waiting = new Map<string, Batch<Value>>()

  /** What is found under these ids, and perhaps more. Calls with the same `scope` must have the same `read`. */
  read(
    scope: string,
    ids: readonly string[],
    read: (ids: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
  ): Promise<ReadonlyMap<string, Value>> {
    const batch = this.#waiting.get(scope) ?? this.#begin(scope, read)
    for (const id of ids) batch.ids.add(id)
    return batch.found
  }

  #begin(scope: string, read: (ids: readonly string[]) => Promise<ReadonlyMap<string, Value>>): Batch<Value> {
    const ids = new Set<string>()
    const found = nextTick().then(() => {
      this.#waiting.delete(scope)
      return read([...ids])
    })
    const batch = { ids, found }
    this.#waiting.set(scope, batch)
    return batch
  }
}

/** Resolves after the current work and the promises that it resolves. */
function nextTick(): Promise<void> {
  return new Promise((done) => process.nextTick(done))
}
