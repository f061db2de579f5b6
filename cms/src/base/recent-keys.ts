/** The slots of a group. The keys of a group share them, and those seen last keep them. */
const SLOTS_OF_GROUP = 4

/**
 * Says whether a key was seen recently, in a fixed amount of memory: it keeps a hash of each key until another key
 * takes its slot. It may forget a key, and very rarely mistakes a new one for one seen before.
 */
export class RecentKeys {
  readonly #hashes: Uint32Array
  readonly #groups: number

  /** `slots`: about how many keys it remembers, a multiple of four. */
  constructor(slots: number) {
    this.#hashes = new Uint32Array(slots)
    this.#groups = slots / SLOTS_OF_GROUP
  }

  /** Whether a key was seen before; from now on it was. */
  see(key: string): boolean {
    const hash = hashOf(key)
    const first = (hash % this.#groups) * SLOTS_OF_GROUP
    let latest = hash
    for (let slot = first; slot < first + SLOTS_OF_GROUP; slot += 1) {
      const earlier = this.#hashes[slot] ?? 0
      this.#hashes[slot] = latest
      if (earlier === hash) return true
      latest = earlier
    }
    return false
  }
}

/** FNV-1a, of the code units; never 0, which stands for no key. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < key.length; index += 1) {
    hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193)
  }
  return hash >>> 0 || 1
}
