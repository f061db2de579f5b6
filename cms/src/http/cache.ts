import { channel } from 'node:diagnostics_channel'
import type { Actor } from '../engine/permissions.ts'
import type { Answer } from './answer.ts'

/** Tells whoever watches this process (`node --import`) of each answer that was cached, or is made for the cache. */
const lookups = channel('quire.answers')

/**
 * Answers cached in memory until the content changes (§0.7). All entries belong to one revision of the content:
 * when it changes all are dropped; while it is unknown (null) nothing is cached or shared.
 * Bounded in bytes, least recently used out first.
 */
export class AnswerCache {
  readonly #revision: () => string | null
  readonly #maxBytes: number
  readonly #cached = new Map<string, Answer<Buffer>>()
  readonly #filling = new Map<string, Promise<Answer>>()
  #of: string | null = null
  #bytes = 0

  constructor(revision: () => string | null, maxBytes: number) {
    this.#revision = revision
    this.#maxBytes = maxBytes
  }

  /** The answer cached under a key, if the content is still the same. */
  get(key: string): Answer<Buffer> | undefined {
    if (!this.#isCurrent()) return undefined
    const cached = this.#cached.get(key)
    if (cached !== undefined) {
      this.#cached.delete(key)
      this.#cached.set(key, cached)
      lookups.publish({ isHit: true })
    }
    return cached
  }

  /**
   * The cached answer, or what `work` makes: once, however many ask at a time. Only 200s are cached, no failures and
   * streams.
   */
  async fill(key: string, work: () => Promise<Answer>): Promise<Answer> {
    const cached = this.get(key)
    if (cached !== undefined) return cached
    lookups.publish({ isHit: false })
    const revision = this.#of
    if (revision === null) return work()
    const running = this.#filling.get(key)
    if (running !== undefined) {
      const shared = await running
      return isShareable(shared) ? shared : work()
    }
    const filling = work()
    this.#filling.set(key, filling)
    try {
      const answer = await filling
      if (answer.status === 200 && isShareable(answer) && this.#isCurrent() && this.#of === revision)
        this.#add(key, answer)
      return answer
    } finally {
      if (this.#filling.get(key) === filling) this.#filling.delete(key)
    }
  }

  /** Follows the revision: work begun under an older one is neither cached nor shared with those who ask now. */
  #isCurrent(): boolean {
    const revision = this.#revision()
    if (revision !== this.#of) {
      this.#cached.clear()
      this.#filling.clear()
      this.#bytes = 0
      this.#of = revision
    }
    return revision !== null
  }

  #add(key: string, answer: Answer<Buffer>): void {
    const size = sizeOf(key, answer)
    if (size > this.#maxBytes / 4) return
    this.#cached.set(key, answer)
    this.#bytes += size
    for (const [oldest, answer] of this.#cached) {
      if (this.#bytes <= this.#maxBytes) return
      this.#cached.delete(oldest)
      this.#bytes -= sizeOf(oldest, answer)
    }
  }
}

/** A stream can be read only once. */
function isShareable(answer: Answer): answer is Answer<Buffer> {
  return Buffer.isBuffer(answer.body) && answer.isPersonal !== true
}

/** Roughly what an entry takes; small ones have their cost too. */
function sizeOf(key: string, answer: Answer<Buffer>): number {
  return answer.body.length + 2 * key.length + 1000
}

/** Callers of one class get the same answers from cached routes. */
export function roleClass(actor: Actor): string {
  if (actor.kind !== 'user' && actor.kind !== 'key') return actor.kind
  return actor.draftsOnly ? `${actor.role}, drafts only` : actor.role
}

/**
 * What an answer is cached under: the class of caller, the locale of the host name (and that of the language, where it
 * counts), the encoding, and the URL as sent.
 */
export function cacheKey(callers: string, addressLocale: string, encoding: string | null, url: string): string {
  return `${callers} ${addressLocale} ${encoding ?? ''} ${url}`
}
