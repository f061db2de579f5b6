import { ByteLru } from '../base/byte-lru.ts'
import type { Store } from '../store/store.ts'
import type { Fragment, FragmentMemory, PartMemory, RelatedMemory, RelatedText } from './answer-caching.ts'
import { type CacheMemory, SourcedCache } from './sourced-cache.ts'

const MAX_BYTES = 16 * 1024 * 1024

/** Parts of answers, each cached while what it was made of stands. */
export class PartCache implements PartMemory {
  readonly #parts: SourcedCache<unknown>
  readonly #memory: CacheMemory

  constructor(changes: Store['changes'], maxBytes = MAX_BYTES) {
    const bytesOf = (value: unknown) => 2 * JSON.stringify(value).length
    const memory: CacheMemory = new ByteLru(maxBytes)
    this.#memory = memory
    this.#parts = new SourcedCache({ changes, memory, prefix: '', isForAll: () => true, bytesOf })
  }

  /** How much it holds. */
  get size(): CacheMemory['size'] {
    return this.#memory.size
  }

  async get<Part>(name: string, make: () => Promise<Part>): Promise<Part> {
    // `as`: the name says what it is.
    return (await this.#parts.fill(name, make)) as Part
  }
}

/** Beside its text. */
const BYTES_OF_FRAGMENT = 700
const BYTES_OF_RELATED = 500

/** Fragments, each cached while what it was made of stands. */
export class FragmentCache implements FragmentMemory {
  readonly related: RelatedMemory
  readonly #fragments: SourcedCache<Fragment>

  constructor(changes: Store['changes'], memory: CacheMemory) {
    this.related = new SourcedCache<RelatedText | null>({
      changes,
      memory,
      prefix: 'related ',
      isForAll: () => true,
      bytesOf: () => BYTES_OF_RELATED,
      sharedOf: (related) => (related === null ? [] : [related.text]),
    })
    this.#fragments = new SourcedCache({
      changes,
      memory,
      prefix: 'fragment ',
      isForAll: () => true,
      bytesOf: () => BYTES_OF_FRAGMENT,
      sharedOf: ({ text }) => [text],
    })
  }

  get(key: string): Fragment | undefined {
    return this.#fragments.get(key)
  }

  make(make: () => Promise<Fragment>, keysOf: () => readonly string[]): Promise<Fragment> {
    return this.#fragments.make(make, keysOf)
  }
}

/** Makes fragments, and caches none: for what others must not see, or have not seen yet. */
export function noFragments(): FragmentMemory {
  return new FragmentCache(() => null, new ByteLru(0))
}
