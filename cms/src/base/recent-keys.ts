/**
 * Tells whether a key was seen recently, in a fixed amount of memory: it keeps a hash of each key until another key takes
 * its slot. It may forget a key, and very rarely mistakes a new one for one seen before.
 */
export class RecentKeys {
  readonly #hashes: Uint32Array

  /** `slots`: about how many keys it remembers. */
  constructor(slots: number) {
    this.#hashes = new Uint32Array(slots)
  }

  /** Whether a key was seen before; from now on it was. */
  see(key: string): boolean {
    const hash = hashOf(key)
    const slot = hash % this.#hashes.length
    if (this.#hashes[slot] === hash) return true
    this.#hashes[slot] = hash
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
