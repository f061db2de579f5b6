import { channel } from 'node:diagnostics_channel'
import { Readable } from 'node:stream'
import type { CacheMemory } from '../../base/bounded-cache.ts'
import type { Actor } from '../../engine/permissions.ts'
import { JoinedBytes, type SharedText } from '../../engine/shared-bytes.ts'
import { SourcedCache, type Store } from '../../store/contract/store.ts'
import { type Answer, isForAll } from './answer.ts'
import type { Compression } from './compression.ts'

/** Publishes each hit and miss to observers in this process (`node --import`). */
const lookups = channel('quire.answers')

/** Below this share of the memory every answer is cached; above it only those that are requested again. */
const OPEN_TO_ALL = 1 / 2
/** About how many requested keys are remembered. */
const RECENT_KEYS = 65_536
/** Longer answers are sent in chunks, and stay in parts. */
const LONGEST_JOINED = 128 * 1024

/**
 * Caches answers until the content that they were made of changes (§0.7): only 200s, no streams, and nothing for one
 * caller alone. Addresses that are not requested again do not evict others: caching them would make answering them a
 * fifth slower.
 */
export class AnswerCache {
  readonly #answers: SourcedCache<Answer>
  readonly #memory: CacheMemory
  readonly #asked = new RecentKeys(RECENT_KEYS)
  #hits = 0
  #misses = 0

  constructor(changes: Store['changes'], memory: CacheMemory) {
    this.#memory = memory
    this.#answers = new SourcedCache({ changes, memory, prefix: 'answer ', isForAll, bytesOf, sharedOf })
  }

  /** The hits and misses of lookups. */
  get lookups(): { readonly hits: number; readonly misses: number } {
    return { hits: this.#hits, misses: this.#misses }
  }

  /** The cached answer of a key; undefined when there is none, or its content has changed. */
  get(key: string): Answer | undefined {
    const cached = this.#answers.get(key)
    if (cached === undefined) return undefined
    this.#hits += 1
    lookups.publish({ isHit: true })
    return isInParts(cached) ? this.#joined(key, cached) : cached
  }

  /** Joins a cached answer into one piece: joining takes half as long as everything else that is done to send it. */
  #joined(key: string, { body, ...answer }: Answer<JoinedBytes>): Answer {
    const joined = { ...answer, body: body.writeTo(Buffer.allocUnsafeSlow(body.length)) }
    this.#answers.replace(key, joined)
    return joined
  }

  /** The cached answer, or what `work` makes: once for concurrent requests, if it will be cached. */
  async fill(key: string, work: () => Promise<Answer>): Promise<Answer> {
    const cached = this.get(key)
    if (cached !== undefined) return cached
    this.#misses += 1
    lookups.publish({ isHit: false })
    return this.#asked.see(key) || this.#isOpenToAll() ? this.#answers.fill(key, work) : work()
  }

  #isOpenToAll(): boolean {
    const { size, maxBytes } = this.#memory
    return size.bytes < maxBytes * OPEN_TO_ALL
  }
}

/** True for an answer that is joined when it is requested again. */
function isInParts(answer: Answer): answer is Answer<JoinedBytes> {
  return answer.body instanceof JoinedBytes && answer.body.length <= LONGEST_JOINED
}

/** Bytes of an answer without its body. */
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
 * Returns the key of an answer: the class of caller, the locale of the host name (and that of the language, where it
 * counts), how it is compressed, and the URL as sent.
 */
export function cacheKey(callers: string, addressLocale: string, compression: Compression | null, url: string): string {
  const encoding = compression?.encoding ?? ''
  return `${callers} ${addressLocale} ${encoding}${compression?.isForSession ? ' session' : ''} ${url}`
}

/**
 * Checks, for requests that have arrived, whether this process knows of all that others have committed: once for all
 * requests that were read in the same turn of the event loop, after the last of them. So each is answered by what was
 * committed before it was sent, and many at a time cost one check.
 */
export class FreshnessChecks {
  readonly #check: () => boolean
  #arrived = 0
  /** The last request that had arrived before the last check. */
  #checked = 0
  #isCaughtUp = false

  /** `check` says whether all that was committed is known. */
  constructor(check: () => boolean) {
    this.#check = check
  }

  /** Calls `goOn` at the end of this turn with the result of the check, or `fail` where either throws. */
  next(goOn: (isCaughtUp: boolean) => void, fail: (error: Error) => void): void {
    this.#arrived += 1
    const request = this.#arrived
    setImmediate(() => {
      try {
        if (request > this.#checked) this.#checkForAll()
        goOn(this.#isCaughtUp)
      } catch (error) {
        fail(error instanceof Error ? error : new Error(String(error)))
      }
    })
  }

  #checkForAll(): void {
    this.#isCaughtUp = this.#check()
    this.#checked = this.#arrived
  }
}

/** The slots of a group of `RecentKeys`. The keys of a group share them, and those seen last keep them. */
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
