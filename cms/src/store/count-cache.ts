import { hash } from 'node:crypto'
import { LruMap } from '../base/lru-map.ts'

/** Counts that decide how a query is run: documents that match, and those with a value to sort by. */
export interface Counts {
  readonly total: number
  /** Of the matching ones, those with a value of the field they are sorted by. */
  readonly valued: number
  /** Documents in the whole view, roughly. */
  readonly size: number
}

/** Each takes less than 250 bytes: keys are digests, however long the queries. */
const COUNTS = 4000
const SIZES = 500
const SIZE_MILLISECONDS = 10_000

/** How long a list was, and until when that is recent enough. */
interface Size {
  readonly size: number
  readonly until: number
}

/** How many documents match a query, cached until the content changes. Bounded in bytes: less than a megabyte. */
export class CountCache {
  readonly #revision: () => string | null
  readonly #counts = new LruMap<string, Counts>(COUNTS)
  readonly #sizes = new LruMap<string, Size>(SIZES)

  constructor(revision: () => string | null) {
    this.#revision = revision
  }

  /** The cached counts of a query, or those that `count` finds. */
  async fill(query: string, count: () => Promise<Counts>): Promise<Counts> {
    const revision = this.#revision()
    if (revision === null) return count()
    const key = hash('sha1', `${revision} ${query}`, 'base64url')
    const cached = this.#counts.get(key)
    if (cached !== undefined) return cached
    const counts = await count()
    this.#counts.set(key, counts)
    return counts
  }

  /** How long a whole list was a few seconds ago: it only decides how to search, so it may be slightly stale. */
  size(view: string): number | undefined {
    const known = this.#sizes.get(view)
    return known !== undefined && known.until > Date.now() ? known.size : undefined
  }

  setSize(view: string, size: number): void {
    this.#sizes.set(view, { size, until: Date.now() + SIZE_MILLISECONDS })
  }
}
