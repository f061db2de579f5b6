import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { waitForTurn } from '../../base/turns.ts'
import {
  BodyBytes,
  type BodyLimit,
  LockQueues,
  type QueueLimits,
  RequestQueue,
  TooManySignIns,
} from './request-queue.ts'

/** How much of the service all callers together may use at a time. */
export interface Capacity extends QueueLimits {
  /**
   * Routes that run, reads and writes apart, since writes wait for each other; further requests wait for one to end.
   */
  readonly reads: number
  readonly writes: number
  /** Of reads whose answers may be long. One begins only when those before it are sent, for which it waits longer. */
  readonly longReads: number
  readonly longWaitMs: number
  /** Attempts to sign in, whose hashing takes a processor; and how many may wait for their turn. */
  readonly signIns: number
  readonly waitingSignIns: number
  /** Bytes of bodies that were read for requests without an answer yet. */
  readonly bodyBytes: number
  /**
   * Bytes of answers that are not yet sent, with what running reads are expected to take. Above it, no route is
   * started.
   */
  readonly unreadBytes: number
  /** How many milliseconds a slow reader gets for an answer while other requests wait because of it. */
  readonly readMs: number
}

/** The default capacity. */
export const CAPACITY: Capacity = {
  reads: 8,
  writes: 16,
  longReads: 1,
  longWaitMs: 60_000,
  signIns: 2,
  waitingSignIns: 200,
  waiting: 1_000,
  waitMs: 10_000,
  bodyBytes: 128 * 1024 * 1024,
  unreadBytes: 64 * 1024 * 1024,
  readMs: 10_000,
}

/** Of answers that are not yet sent, for each of several processes. */
const LEAST_UNREAD_BYTES = 16 * 1024 * 1024

/** Processes of one machine share the memory for bodies and answers; each has enough for the longest body. */
export function shareOfCapacity(
  { bodyBytes }: { readonly bodyBytes: number },
  processes: number,
): Pick<Capacity, 'bodyBytes' | 'unreadBytes'> {
  if (processes === 1) return CAPACITY
  return {
    bodyBytes: Math.max(CAPACITY.bodyBytes / processes, 2 * bodyBytes),
    unreadBytes: Math.max(CAPACITY.unreadBytes / processes, LEAST_UNREAD_BYTES),
  }
}

/** Answers below this are not counted: the number of connections bounds them. */
const SMALL_ANSWER = 16 * 1024
/** While more bytes than this wait to be sent, no read starts whose answer may be long. */
const LONG_ANSWER = 16 * 1024 * 1024
/** The memory of making an answer, as a multiple of its length: rows, documents, text and bytes. */
const MAKING = 4

/** The load of a route. `lock` names what its writes lock; null where they rarely meet. */
export interface Work {
  readonly kind: Kind
  readonly lock: string | null
}

const KINDS = ['reads', 'writes', 'longReads', 'signIns'] as const
type Kind = (typeof KINDS)[number]

/** Bytes, in one piece or not. */
interface Counted {
  readonly length: number
}

/** The answer of a route: whole bytes are counted. */
interface Answered {
  readonly body: Counted | Readable
}

/** The routes of one kind. */
interface Routes {
  running: number
  readonly queue: RequestQueue
}

interface Unread {
  readonly body: Counted
  readonly response: ServerResponse
  readonly since: number
}

/** The current load of all callers together. */
interface LoadFigures {
  readonly running: Readonly<Record<Kind, number>>
  readonly waiting: Readonly<Record<Kind, number>>
  readonly bodyBytes: number
  readonly unreadBytes: number
}

/** Keeps the memory and the running work of all callers together within the capacity. */
export class Load {
  readonly #capacity: Capacity
  readonly #routes: Readonly<Record<Kind, Routes>>
  readonly #locks: LockQueues
  readonly #bodies: BodyBytes
  readonly #unread = new Set<Unread>()
  /** How many readers each of these answers has: one in the cache is in memory once. */
  readonly #readers = new Map<Counted, number>()
  #unreadBytes = 0
  /** The average length of recent answers to reads: as much is expected of each that runs. */
  #expectedBytes = 0
  #watch: NodeJS.Timeout | undefined

  constructor(capacity: Capacity) {
    this.#capacity = capacity
    this.#locks = new LockQueues(capacity)
    this.#bodies = new BodyBytes(capacity.bodyBytes)
    this.#routes = {
      reads: { running: 0, queue: new RequestQueue(capacity) },
      writes: { running: 0, queue: new RequestQueue(capacity) },
      longReads: { running: 0, queue: new RequestQueue({ ...capacity, waitMs: capacity.longWaitMs }) },
      signIns: {
        running: 0,
        queue: new RequestQueue({ ...capacity, waiting: capacity.waitingSignIns }, () => new TooManySignIns()),
      },
    }
  }

  /** Returns the current load. */
  figures(): LoadFigures {
    return {
      running: this.#counts(({ running }) => running),
      waiting: this.#counts(({ queue }) => queue.length),
      bodyBytes: this.#bodies.total,
      unreadBytes: this.#unreadBytes,
    }
  }

  #counts(count: (routes: Routes) => number): Readonly<Record<Kind, number>> {
    const { reads, writes, longReads, signIns } = this.#routes
    return { reads: count(reads), writes: count(writes), longReads: count(longReads), signIns: count(signIns) }
  }

  /** Runs work once the capacity allows. Throws `unavailable`, attempts to sign in `toomany`, when too much is waiting. */
  run<Answer extends Answered>({ kind, lock }: Work, work: () => Promise<Answer>): Promise<Answer> {
    return lock === null ? this.#run(kind, work) : this.#locks.run(lock, () => this.#run(kind, work))
  }

  async #run<Answer extends Answered>(kind: Kind, work: () => Promise<Answer>): Promise<Answer> {
    const routes = this.#routes[kind]
    if (this.#hasRoom(kind)) routes.running += 1
    else await this.#waitForSlot(routes)
    try {
      // Some databases answer synchronously: requests that have already arrived go first.
      await waitForTurn()
      const answer = await work()
      if (kind === 'reads' && !(answer.body instanceof Readable))
        this.#expectedBytes += (answer.body.length - this.#expectedBytes) / 8
      return answer
    } finally {
      // A long answer is counted as unread before the next one begins.
      if (kind === 'longReads') setImmediate(() => this.#end(routes))
      else this.#end(routes)
    }
  }

  #end(routes: Routes): void {
    routes.running -= 1
    this.#beginNext()
  }

  /** A stream that a body is read through; see `BodyBytes`. */
  body(source: Readable, response: ServerResponse, limit: BodyLimit): Readable {
    return this.#bodies.read(source, response, limit)
  }

  /** Counts an answer until it is sent. */
  answer(body: Counted, response: ServerResponse): void {
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
    if (this.#routes[kind].running >= this.#capacity[kind]) return false
    if (kind === 'longReads') return this.#unreadBytes <= LONG_ANSWER
    const bytes = this.#unreadBytes + this.#routes.reads.running * this.#expectedBytes * MAKING
    return bytes <= this.#capacity.unreadBytes
  }

  /** Resolves when there is a free slot, which is then taken. */
  #waitForSlot({ queue }: Routes): Promise<void> {
    this.#watch ??= setInterval(() => this.#tidy(), Math.min(1_000, this.#capacity.waitMs / 4)).unref()
    return queue.wait()
  }

  #beginNext(): void {
    // Nothing waits.
    if (this.#watch === undefined) return
    for (const kind of KINDS) {
      const routes = this.#routes[kind]
      while (routes.queue.length > 0 && this.#hasRoom(kind)) {
        routes.running += 1
        routes.queue.begin()
      }
    }
  }

  /** Refuses requests that have waited too long, and cuts off slow readers whose answers keep others waiting. */
  #tidy(): void {
    const { readMs } = this.#capacity
    const unreadBytes = this.#routes.longReads.queue.length > 0 ? LONG_ANSWER : this.#capacity.unreadBytes
    const now = Date.now()
    for (const unread of this.#unread) {
      if (this.#unreadBytes <= unreadBytes || now - unread.since < readMs) break
      unread.response.destroy()
      this.#consumed(unread)
    }
    const queues = Object.values(this.#routes).map(({ queue }) => queue)
    for (const queue of queues) queue.refuseLate()
    if (queues.some((queue) => queue.length > 0)) return
    clearInterval(this.#watch)
    this.#watch = undefined
  }
}
