interface Waiting {
  readonly permits: number
  readonly start: () => void
}

/** The work was not started within its time limit. */
export class WaitedTooLong extends Error {}

/** Bounds how much work runs at the same time; the rest waits, first come first served. */
export class Semaphore {
  readonly #waiting: Waiting[] = []
  readonly #permits: number
  #free: number

  constructor(permits: number) {
    this.#permits = permits
    this.#free = permits
  }

  /** True when nothing runs and nothing waits. */
  get isIdle(): boolean {
    return this.#free === this.#permits && this.#waiting.length === 0
  }

  /**
   * Runs `work` once this many permits are free, and returns them afterwards. Throws `WaitedTooLong` when it was
   * not started after this many milliseconds.
   */
  async run<Result>(work: () => Promise<Result>, permits = 1, patience?: number): Promise<Result> {
    await this.#turn(permits, patience)
    try {
      return await work()
    } finally {
      this.#free += permits
      this.#startNext()
    }
  }

  #turn(permits: number, patience: number | undefined): Promise<void> {
    const { promise, resolve: start, reject } = Promise.withResolvers<void>()
    const waiting = { permits, start }
    this.#waiting.push(waiting)
    this.#startNext()
    if (patience === undefined || !this.#waiting.includes(waiting)) return promise
    const timer = setTimeout(() => {
      const index = this.#waiting.indexOf(waiting)
      if (index < 0) return
      this.#waiting.splice(index, 1)
      reject(new WaitedTooLong())
      this.#startNext()
    }, patience)
    return promise.finally(() => clearTimeout(timer))
  }

  #startNext(): void {
    for (let next = this.#waiting[0]; next !== undefined && next.permits <= this.#free; next = this.#waiting[0]) {
      this.#waiting.shift()
      this.#free -= next.permits
      next.start()
    }
  }
}
