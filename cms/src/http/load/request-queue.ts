import type { ServerResponse } from 'node:http'
import { type Readable, Transform } from 'node:stream'
import { CmsError } from '../../base/errors.ts'
import { Semaphore, WaitedTooLong } from '../../base/semaphore.ts'

interface Waiting {
  readonly begin: () => void
  readonly refuse: (error: Error) => void
  readonly since: number
}

/** How long, and for how many requests at least, a queue is watched until it is known how fast it moves. */
const WATCHED_MS = 2_000
const WATCHED_REQUESTS = 4

/** How many requests may wait in a queue, and for how many milliseconds. */
export interface QueueLimits {
  readonly waiting: number
  readonly waitMs: number
}

/**
 * Requests that wait for others to end. Those that would wait too long are refused: at once where the speed of the
 * queue reports, so that their callers need not wait for the refusal.
 */
export class RequestQueue {
  readonly #limits: QueueLimits
  readonly #refusal: () => CmsError
  readonly #waiting: Waiting[] = []
  /** How many requests have left the queue, after the first one, since when; null before that. */
  #left = 0
  #since: number | null = null

  constructor(limits: QueueLimits, refusal: () => CmsError = () => new Overloaded()) {
    this.#limits = limits
    this.#refusal = refusal
  }

  /** The number of waiting requests. */
  get length(): number {
    return this.#waiting.length
  }

  /** Resolves when the request may begin. Throws the refusal of the queue. */
  wait(): Promise<void> {
    const now = Date.now()
    if (this.length === 0) {
      this.#left = 0
      this.#since = null
    }
    const { waiting, waitMs } = this.#limits
    if (this.length >= waiting || this.#timeTo(this.length + 1, now) > waitMs) throw this.#refusal()
    return new Promise((begin, refuse) => void this.#waiting.push({ begin, refuse, since: now }))
  }

  /** Starts the first request, and refuses those at the end that would wait too long. */
  begin(): void {
    const now = Date.now()
    this.#waiting.shift()?.begin()
    if (this.#since === null) this.#since = now
    else this.#left += 1
    for (let last = this.#waiting.at(-1); last && this.#isHopeless(last, now); last = this.#waiting.at(-1)) {
      this.#waiting.pop()
      last.refuse(this.#refusal())
    }
    if (now - this.#since < WATCHED_MS || this.#left < 2 * WATCHED_REQUESTS) return
    // Older requests count less.
    this.#left /= 2
    this.#since = now - (now - this.#since) / 2
  }

  /** Refuses the requests that have waited too long. */
  refuseLate(): void {
    const latest = Date.now() - this.#limits.waitMs
    while ((this.#waiting[0]?.since ?? Number.POSITIVE_INFINITY) <= latest)
      this.#waiting.shift()?.refuse(this.#refusal())
  }

  /** Whether the last request would wait too long. */
  #isHopeless(last: Waiting, now: number): boolean {
    return now - last.since + this.#timeTo(this.length, now) > this.#limits.waitMs
  }

  /** The expected time until the request at a position may begin. */
  #timeTo(position: number, now: number): number {
    return this.#since === null || this.#left < WATCHED_REQUESTS ? 0 : (position * (now - this.#since)) / this.#left
  }
}

/** The refusal of a request for which there is no capacity. */
export class Overloaded extends CmsError {
  constructor() {
    super('unavailable', 'The service is overloaded. Try again in a moment.')
  }
}

/** The refusal of an attempt to sign in while too many others wait. */
export class TooManySignIns extends CmsError {
  constructor() {
    super('toomany', 'Too many people are signing in. Try again.', { retryAfter: 1 })
  }
}

/** The longest body, and what is thrown for a longer one. */
export interface BodyLimit {
  readonly maxBytes: number
  readonly refusal: () => CmsError
}

/** Bounds the bytes of the bodies of all requests that are not answered yet. */
export class BodyBytes {
  readonly #maxTotal: number
  /** The bodies that are being read, in the order in which they began, with what releases their bytes. */
  readonly #arriving = new Map<Transform, () => void>()
  #total = 0

  constructor(maxTotal: number) {
    this.#maxTotal = maxTotal
  }

  /** The bytes that are held now. */
  get total(): number {
    return this.#total
  }

  /**
   * A stream that a body is read through. It fails with `refusal` beyond `maxBytes`, and with `unavailable` when there
   * is no capacity left. Its bytes count until the request is answered.
   */
  read(source: Readable, response: ServerResponse, { maxBytes, refusal }: BodyLimit): Readable {
    let bytes = 0
    const release = () => {
      this.#arriving.delete(metered)
      this.#total -= bytes
      bytes = 0
    }
    const metered: Transform = new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        bytes += chunk.length
        this.#total += chunk.length
        if (bytes > maxBytes) return done(refusal())
        this.#refuseLatest()
        if (!metered.destroyed) done(null, chunk)
      },
      flush: (done) => {
        this.#arriving.delete(metered)
        done()
      },
    })
    this.#arriving.set(metered, release)
    response.once('close', () => {
      metered.destroy()
      release()
    })
    source.on('error', (error) => metered.destroy(error))
    return source.pipe(metered)
  }

  /**
   * Refuses the bodies that began last until the others are within the capacity. If instead each body that exceeds it
   * were refused, many that arrive together would all be refused.
   */
  #refuseLatest(): void {
    while (this.#total > this.#maxTotal) {
      const latest = [...this.#arriving].at(-1)
      if (latest === undefined) return
      const [body, release] = latest
      release()
      body.destroy(new Overloaded())
    }
  }
}

/** How many writes with the same lock run at a time: one waits for the other anyway. */
const AT_A_TIME = 3
/** The part of the time that a request may wait in which it is to begin: the database lets it wait for the rest. */
const SHARE = 0.4

/**
 * Writes that lock the same document, or the tree, wait for each other here, so that however many there are, they leave
 * connections and slots to other writes.
 */
export class LockQueues {
  readonly #limits: QueueLimits
  readonly #queues = new Map<string, Semaphore>()
  #requests = 0

  constructor(limits: QueueLimits) {
    this.#limits = limits
  }

  /**
   * Runs work that takes the lock of that name. Throws `unavailable` when too much waits, or it has waited too long.
   */
  async run<T>(lock: string, work: () => Promise<T>): Promise<T> {
    const { waiting, waitMs } = this.#limits
    if (this.#requests >= waiting) throw new Overloaded()
    const queue = this.#queues.get(lock) ?? new Semaphore(AT_A_TIME)
    this.#queues.set(lock, queue)
    this.#requests += 1
    try {
      return await queue.run(work, 1, waitMs * SHARE)
    } catch (error) {
      throw error instanceof WaitedTooLong ? new Overloaded() : error
    } finally {
      this.#requests -= 1
      if (queue.isIdle) this.#queues.delete(lock)
    }
  }
}
