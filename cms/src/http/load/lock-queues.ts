import { Semaphore, WaitedTooLong } from '../../base/semaphore.ts'
import { Overloaded, type QueueLimits } from './request-queue.ts'

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
