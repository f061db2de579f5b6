import type { ServerResponse } from 'node:http'
import { type Readable, Transform } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type CmsError, unavailable } from '../base/errors.ts'

/** What all callers together may use of the service at a time. */
export interface Capacity {
  /**
   * Routes that run, reads and writes apart, since writes wait for each other; further requests wait for one to end.
   */
  readonly reads: number
  readonly writes: number
  /** How many of the writes may be of one document, or of the tree, since those wait for the same lock. */
  readonly writesOfOne: number
  /** Requests that wait, and for how many milliseconds; further ones, and those that waited so long, are refused. */
  readonly waiting: number
  readonly waitMs: number
  /** Bytes of bodies that were read for requests without an answer yet. */
  readonly bodyBytes: number
  /** Bytes of answers that are not yet sent. Above it, no route is started. */
  readonly unreadBytes: number
  /** How many milliseconds a slow reader has for an answer while other requests wait because of it. */
  readonly readMs: number
}

/** The default capacity. */
export const CAPACITY: Capacity = {
  reads: 8,
  writes: 16,
  writesOfOne: 3,
  waiting: 1_000,
  waitMs: 10_000,
  bodyBytes: 128 * 1024 * 1024,
  unreadBytes: 64 * 1024 * 1024,
  readMs: 10_000,
}

/** Answers below this are not counted: the number of connections bounds them. */
const SMALL_ANSWER = 16 * 1024

/** How long a body may be, and what is thrown when it is longer. */
export interface BodyLimit {
  readonly maxBytes: number
  readonly refusal: CmsError
}

interface Waiting {
  readonly locks: string | null
  readonly begin: () => void
  readonly refuse: (error: CmsError) => void
  readonly since: number
}

/** What a route does: whether it reads or writes, and what its writes lock; null where they hardly meet. */
export interface Work {
  readonly kind: Kind
  readonly locks: string | null
}

type Kind = 'reads' | 'writes'

/** The routes of one kind. */
interface Queue {
  running: number
  /** How many of them lock the same. */
  readonly locking: Map<string, number>
  readonly waiting: Waiting[]
}

const emptyQueue = (): Queue => ({ running: 0, locking: new Map(), waiting: [] })

interface Unread {
  readonly body: Buffer
  readonly response: ServerResponse
  readonly since: number
}

/** Keeps the memory and the running work of all callers together within the capacity. */
export class Load {
  readonly #capacity: Capacity
  readonly #queues: Readonly<Record<Kind, Queue>> = {
    reads: emptyQueue(),
    writes: emptyQueue(),
  }
  readonly #unread = new Set<Unread>()
  /** How many readers each of these answers has: one in the cache is in memory once. */
  readonly #readers = new Map<Buffer, number>()
  #bodyBytes = 0
  #unreadBytes = 0
  #watch: NodeJS.Timeout | undefined

  constructor(capacity: Capacity) {
    this.#capacity = capacity
  }

  /** Runs work when the capacity allows. Throws `unavailable` when too much waits, or it has waited too long. */
  async run<T>({ kind, locks }: Work, work: () => Promise<T>): Promise<T> {
    const queue = this.#queues[kind]
    if (this.#hasRoom(kind) && this.#mayLock(queue, locks)) takeSlot(queue, locks)
    else await this.#waitForSlot(queue, locks)
    try {
      // Some databases answer synchronously: lets other requests that have arrived go first, even before the first of many.
      await nextTurn()
      return await work()
    } finally {
      leaveSlot(queue, locks)
      this.#beginNext()
    }
  }

  /**
   * A stream that a body is read through. It fails with `refusal` beyond `maxBytes`, and with `unavailable` when there
   * is no capacity left. Its bytes count until the request is answered.
   */
  body(source: Readable, response: ServerResponse, { maxBytes, refusal }: BodyLimit): Readable {
    let bytes = 0
    const metered = new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        bytes += chunk.length
        this.#bodyBytes += chunk.length
        if (bytes > maxBytes) done(refusal)
        else if (this.#bodyBytes > this.#capacity.bodyBytes) done(busy())
        else done(null, chunk)
      },
    })
    response.once('close', () => {
      metered.destroy()
      this.#bodyBytes -= bytes
    })
    source.on('error', (error) => metered.destroy(error))
    return source.pipe(metered)
  }

  /** Counts an answer until it is sent. */
  answer(body: Buffer, response: ServerResponse): void {
    if (body.length < SMALL_ANSWER || response.destroyed) return
    const unread = { body, response, since: Date.now() }
    const readers = this.#readers.get(body) ?? 0
    this.#unread.add(unread)
    this.#readers.set(body, readers + 1)
    if (readers === 0) this.#unreadBytes += body.length
    response.once('close', () => this.#consumed(unread))
  }

  #consumed(unread: Unread): void {
    if (!this.#unread.delete(unread)) return
    const { body } = unread
    const readers = (this.#readers.get(body) ?? 1) - 1
    if (readers > 0) {
      this.#readers.set(body, readers)
      return
    }
    this.#readers.delete(body)
    this.#unreadBytes -= body.length
    this.#beginNext()
  }

  #hasRoom(kind: Kind): boolean {
    return this.#queues[kind].running < this.#capacity[kind] && this.#unreadBytes <= this.#capacity.unreadBytes
  }

  /** However many writes wait for a lock that somebody holds, other writes go on. */
  #mayLock({ locking }: Queue, locks: string | null): boolean {
    return locks === null || (locking.get(locks) ?? 0) < this.#capacity.writesOfOne
  }

  /** Resolves when there is a free slot, which is then taken. */
  #waitForSlot({ waiting }: Queue, locks: string | null): Promise<void> {
    if (waiting.length >= this.#capacity.waiting) throw busy()
    this.#watch ??= setInterval(() => this.#tidy(), Math.min(1_000, this.#capacity.waitMs / 4)).unref()
    return new Promise((begin, refuse) => void waiting.push({ locks, begin, refuse, since: Date.now() }))
  }

  #beginNext(): void {
    for (const kind of ['reads', 'writes'] as const) {
      const queue = this.#queues[kind]
      while (this.#hasRoom(kind)) {
        const index = queue.waiting.findIndex(({ locks }) => this.#mayLock(queue, locks))
        const [next] = index < 0 ? [] : queue.waiting.splice(index, 1)
        if (next === undefined) break
        takeSlot(queue, next.locks)
        next.begin()
      }
    }
  }

  /** Refuses requests that have waited too long, and cuts off slow readers whose answers keep others waiting. */
  #tidy(): void {
    const { waitMs, readMs, unreadBytes } = this.#capacity
    const now = Date.now()
    for (const unread of this.#unread) {
      if (this.#unreadBytes <= unreadBytes || now - unread.since < readMs) break
      unread.response.destroy()
      this.#consumed(unread)
    }
    const queues = Object.values(this.#queues)
    for (const { waiting } of queues) {
      while (now - (waiting[0]?.since ?? now) >= waitMs) waiting.shift()?.refuse(busy())
    }
    if (queues.some(({ waiting }) => waiting.length > 0)) return
    clearInterval(this.#watch)
    this.#watch = undefined
  }
}

function takeSlot(queue: Queue, locks: string | null): void {
  queue.running += 1
  if (locks !== null) queue.locking.set(locks, (queue.locking.get(locks) ?? 0) + 1)
}

function leaveSlot(queue: Queue, locks: string | null): void {
  queue.running -= 1
  if (locks === null) return
  const others = (queue.locking.get(locks) ?? 1) - 1
  if (others > 0) queue.locking.set(locks, others)
  else queue.locking.delete(locks)
}

function busy(): CmsError {
  return unavailable('The service is overloaded. Try again in a moment.')
}
