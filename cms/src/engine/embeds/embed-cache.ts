import { ByteLru } from '../../base/byte-lru.ts'
import type { EmbedOutcome } from '../embed.ts'

const MAX_BYTES = 4 * 1024 * 1024
const FOUND_MS = 24 * 60 * 60 * 1000
const FAILED_MS = 60 * 1000

interface Entry {
  readonly outcome: EmbedOutcome
  readonly until: number
}

/**
 * Caches outcomes by address: embeds for a day, failures for a minute. Embeds are used for longer while their provider
 * is unavailable. Bounded in bytes; the least recently used are evicted.
 */
export class EmbedCache {
  readonly #now: () => Date
  readonly #entries: ByteLru<Entry>

  constructor(now: () => Date, maxBytes = MAX_BYTES) {
    this.#now = now
    this.#entries = new ByteLru(maxBytes)
  }

  /** The outcome of an address; null when it must be asked for. */
  get(url: string): EmbedOutcome | null {
    const entry = this.#entries.get(url)
    if (entry === undefined || entry.until <= this.#now().getTime()) return null
    return entry.outcome
  }

  /** Caches an outcome; returns the one to use. */
  set(url: string, fresh: EmbedOutcome): EmbedOutcome {
    const before = this.#entries.get(url)
    const outcome = fresh.kind === 'unavailable' && before?.outcome.kind === 'found' ? before.outcome : fresh
    const until = this.#now().getTime() + (fresh.kind === 'found' ? FOUND_MS : FAILED_MS)
    this.#entries.set(url, { outcome, until }, 2 * JSON.stringify(outcome).length)
    return outcome
  }
}
