/** An answer as a cache in front of a site keeps it. */
export interface KeptAnswer {
  /** All that is sent, without what differs between answers that say the same. */
  readonly text: string
  readonly tags: readonly string[]
}

const CACHE_TAG = /^cache-tag: (.*)$/m
const NOT_COMPARED = /^(?:cache-control|cache-tag|surrogate-key): .*\n/gm

/** The answer as it is kept; null where a cache must not keep it. */
export function keptAnswer(answer: string): KeptAnswer | null {
  const tags = CACHE_TAG.exec(answer)?.[1]
  if (!/^cache-control: public, .*s-maxage=/m.test(answer)) return null
  if (tags === undefined) throw new Error('It may be kept, and does not say what it was made of.')
  return { text: comparedText(answer), tags: tags.split(',') }
}

/** The part of an answer that must be the same in one that was kept. */
export function comparedText(answer: string): string {
  return answer.replaceAll(NOT_COMPARED, '')
}

/** What a cache in front of a site keeps, by address, until one of its tags is purged. */
export class EdgeCache {
  readonly #kept = new Map<string, KeptAnswer>()

  get size(): number {
    return this.#kept.size
  }

  get entries(): readonly (readonly [url: string, kept: KeptAnswer])[] {
    return [...this.#kept]
  }

  get(url: string): KeptAnswer | undefined {
    return this.#kept.get(url)
  }

  keep(url: string, answer: KeptAnswer): void {
    this.#kept.set(url, answer)
  }

  delete(url: string): void {
    this.#kept.delete(url)
  }

  /** How many answers it forgets. */
  purge(tags: Iterable<string>): number {
    const purged = new Set(tags)
    const before = this.#kept.size
    for (const [url, kept] of this.#kept) if (kept.tags.some((tag) => purged.has(tag))) this.#kept.delete(url)
    return before - this.#kept.size
  }
}
