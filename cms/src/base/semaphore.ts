interface Waiting {
  readonly permits: number
  readonly start: () => void
}

/** Lets a bounded amount of work run at the same time; what comes later waits, first come first served. */
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

  /** Runs `work` once so many permits are free, and returns them when it has ended. */
  async run<Result>(work: () => Promise<Result>, permits = 1): Promise<Result> {
    await new Promise<void>((start) => {
      this.#waiting.push({ permits, start })
      this.#startNext()
    })
    try {
      return await work()
    } finally {
      this.#free += permits
      this.#startNext()
    }
  }

  #startNext(): void {
    for (let next = this.#waiting[0]; next !== undefined && next.permits <= this.#free; next = this.#waiting[0]) {
      this.#waiting.shift()
      this.#free -= next.permits
      next.start()
    }
  }
}
