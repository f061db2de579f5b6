import { CacheMemory } from '../base/bounded-cache.ts'
import { currentSources, SourcedCache, type Store } from '../store/contract/store.ts'
import type { Caches, Caching, Parts } from './answer-caching.ts'

/** About how many bytes a fragment and a related document take without their text. */
const BYTES_OF_FRAGMENT = 700
const BYTES_OF_RELATED = 500

/** The caches of a service, in a memory that they share with its answers (`http/pipeline/cache.ts`). */
export function newCaches(changes: Store['changes'], memory: CacheMemory): Caches {
  const cached = { changes, memory }
  return {
    // `as`: the key says what a part is.
    parts: new SourcedCache({ ...cached, prefix: 'part ', bytesOf: bytesOfPart }) as Parts,
    fragments: new SourcedCache({
      ...cached,
      prefix: 'fragment ',
      bytesOf: () => BYTES_OF_FRAGMENT,
      sharedOf: ({ text }) => [text],
    }),
    related: new SourcedCache({
      ...cached,
      prefix: 'related ',
      bytesOf: () => BYTES_OF_RELATED,
      sharedOf: (related) => (related === null ? [] : [related.text]),
    }),
  }
}

function bytesOfPart(part: unknown): number {
  return 2 * JSON.stringify(part).length
}

/** Caches nothing: for transactions and snapshots, which see what others must not see, or have not seen yet. */
export const NO_CACHES: Caches = newCaches(() => null, new CacheMemory(0))

/** The state of one answer, which may be cached until something forbids it. */
export function newCaching(): Caching {
  let isAllowed = true
  return {
    isAllowed: () => isAllowed,
    forbid() {
      isAllowed = false
      currentSources()?.recordUnknown()
    },
  }
}
