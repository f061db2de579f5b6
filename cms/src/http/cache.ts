import { channel } from 'node:diagnostics_channel'
import { Readable } from 'node:stream'
import type { Actor } from '../engine/permissions.ts'
import { JoinedBytes, type SharedText } from '../engine/shared-bytes.ts'
import { type CacheMemory, SourcedCache } from '../engine/sourced-cache.ts'
import type { Store } from '../store/store.ts'
import type { Answer } from './answer.ts'

/** Tells whoever watches this process (`node --import`) of each answer that was cached, or is made for the cache. */
const lookups = channel('quire.answers')

/**
 * Answers, each cached in memory while what it was made of stands (§0.7); only 200s, no streams, and nothing that is for
 * one caller.
 */
export class AnswerCache {
  readonly #answers: SourcedCache<Answer>
  #hits = 0
  #misses = 0

  constructor(changes: Store['changes'], memory: CacheMemory) {
    this.#answers = new SourcedCache({ changes, memory, prefix: 'answer ', isForAll, bytesOf, sharedOf })
  }

  /** How often it had what was asked for, and how often it had not. */
  get lookups(): { readonly hits: number; readonly misses: number } {
    return { hits: this.#hits, misses: this.#misses }
  }

  /** The answer cached under a key, if it still stands. */
  get(key: string): Answer | undefined {
    const cached = this.#answers.get(key)
    if (cached === undefined) return undefined
    this.#hits += 1
    lookups.publish({ isHit: true })
    return cached
  }

  /** The cached answer, or what `work` makes: once, however many ask at a time. */
  async fill(key: string, work: () => Promise<Answer>): Promise<Answer> {
    const cached = this.get(key)
    if (cached !== undefined) return cached
    this.#misses += 1
    lookups.publish({ isHit: false })
    return this.#answers.fill(key, work)
  }
}

/** A stream can be read only once. */
function isForAll({ status, body, isPersonal }: Answer): boolean {
  return status === 200 && !(body instanceof Readable) && isPersonal !== true
}

/** Small ones have their cost too. */
const BYTES_OF_ANSWER = 700

function bytesOf({ body }: Answer): number {
  if (body instanceof Readable) return BYTES_OF_ANSWER
  if (body instanceof JoinedBytes) return BYTES_OF_ANSWER + body.ownBytes
  return BYTES_OF_ANSWER + body.length
}

function sharedOf({ body }: Answer): readonly SharedText[] {
  return body instanceof JoinedBytes ? body.shared : NONE
}

const NONE: readonly SharedText[] = []

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
