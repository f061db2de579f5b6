import type { Store } from '../store/store.ts'
import type { PartMemory } from './context.ts'
import { type CacheSize, SourcedCache } from './sourced-cache.ts'

const MAX_BYTES = 16 * 1024 * 1024

/** Parts of answers, each cached while what it was made of stands. */
export class PartCache implements PartMemory {
  readonly #parts: SourcedCache<unknown>

  constructor(changes: Store['changes'], maxBytes = MAX_BYTES) {
    const bytesOf = (value: unknown) => 2 * JSON.stringify(value).length
    this.#parts = new SourcedCache({ changes, maxBytes, isForAll: () => true, bytesOf })
  }

  get size(): CacheSize {
    return this.#parts.size
  }

  async get<Part>(name: string, make: () => Promise<Part>): Promise<Part> {
    // `as`: the name says what it is.
    return (await this.#parts.fill(name, make)) as Part
  }
}
