import type { Actor } from '../engine/permissions.ts'
import type { Answer } from './answer.ts'

/** An answer kept, with its headers as Node takes them fastest. */
export interface KeptAnswer extends Answer<Buffer> {
  readonly rawHeaders: readonly string[]
}

/**
 * Answers kept in memory while the content stands (decisions 0, Caching). All entries belong to one revision of the
 * content: when it changes all are dropped; while it is unknown (null) nothing is kept or shared.
 * Bounded in bytes, least recently used out first.
 */
export class AnswerCache {
  readonly #revision: () => string | null
  readonly #maxBytes: number
  readonly #kept = new Map<string, KeptAnswer>()
  readonly #filling = new Map<string, Promise<Answer>>()
  #of: string | null = null
  #bytes = 0

  constructor(revision: () => string | null, maxBytes: number) {
    this.#revision = revision
    this.#maxBytes = maxBytes
  }

  /** The answer kept under a key, if the content is still the same. */
  get(key: string): KeptAnswer | undefined {
    if (!this.#isCurrent()) return undefined
    const kept = this.#kept.get(key)
    if (kept !== undefined) {
      this.#kept.delete(key)
      this.#kept.set(key, kept)
    }
    return kept
  }

  /** The kept answer, or what `work` makes: once, however many ask at a time. Only 200s are kept, no failures and streams. */
  async fill(key: string, work: () => Promise<Answer>): Promise<Answer> {
    const kept = this.get(key)
    if (kept !== undefined) return kept
    const revision = this.#of
    if (revision === null) return work()
    const running = this.#filling.get(key)
    if (running !== undefined) {
      const shared = await running
      return isWhole(shared) ? shared : work()
    }
    const filling = work()
    this.#filling.set(key, filling)
    try {
      const answer = await filling
      if (answer.status === 200 && isWhole(answer) && this.#isCurrent() && this.#of === revision)
        this.#keep(key, answer)
      return answer
    } finally {
      if (this.#filling.get(key) === filling) this.#filling.delete(key)
    }
  }

  /** Follows the revision: work begun under an older one is neither kept nor shared with those who ask now. */
  #isCurrent(): boolean {
    const revision = this.#revision()
    if (revision !== this.#of) {
      this.#kept.clear()
      this.#filling.clear()
      this.#bytes = 0
      this.#of = revision
    }
    return revision !== null
  }

  #keep(key: string, answer: Answer<Buffer>): void {
    const rawHeaders = [...Object.entries(answer.headers).flat(), 'Content-Length', String(answer.body.length)]
    const kept: KeptAnswer = { ...answer, rawHeaders }
    const size = sizeOf(key, kept)
    if (size > this.#maxBytes / 4) return
    this.#kept.set(key, kept)
    this.#bytes += size
    for (const [oldest, answer] of this.#kept) {
      if (this.#bytes <= this.#maxBytes) return
      this.#kept.delete(oldest)
      this.#bytes -= sizeOf(oldest, answer)
    }
  }
}

/** A stream can be read only once. */
function isWhole(answer: Answer): answer is Answer<Buffer> {
  return Buffer.isBuffer(answer.body)
}

/** Roughly what an entry takes; small ones have their cost too. */
function sizeOf(key: string, answer: KeptAnswer): number {
  return answer.body.length + 2 * key.length + 1000
}

/** Callers of one class get the same answers from cached routes. */
export function roleClass(actor: Actor): string {
  if (actor.kind !== 'user' && actor.kind !== 'key') return actor.kind
  return actor.draftsOnly ? `${actor.role}, drafts only` : actor.role
}

/** What an answer is kept under: the class of caller, the locale of the host name, and the URL as it was sent. */
export function cacheKey(callers: string, place: string | null, url: string): string {
  return `${callers} ${place ?? ''} ${url}`
}
