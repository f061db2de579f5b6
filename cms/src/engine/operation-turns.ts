/** What the operations of one transaction have in common. */
interface Progress {
  hasEnded: boolean
  readonly running: Set<Promise<unknown>>
}

/**
 * Operations on content inside one transaction: they run one after another, as on one connection they must, and
 * none after its end. Those that an operation's hooks begin are part of it, and have turns of their own.
 */
export class OperationTurns {
  readonly #progress: Progress
  #last: Promise<unknown> = Promise.resolve()

  constructor(progress: Progress = { hasEnded: false, running: new Set() }) {
    this.#progress = progress
  }

  /** The turns of what an operation of these begins itself. */
  within(): OperationTurns {
    return new OperationTurns(this.#progress)
  }

  /** Runs `work` when the operations before it have ended. Throws when the transaction has ended by then. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const { running } = this.#progress
    const turn = this.#last.then(() => {
      if (this.#progress.hasEnded) throw new Error('This transaction has ended: its content takes no more operations.')
      return work()
    })
    const ended: Promise<unknown> = turn.catch(() => {}).then(() => running.delete(ended))
    this.#last = ended
    running.add(ended)
    return turn
  }

  /** Resolves when all operations that were begun have ended. */
  async settled(): Promise<void> {
    const { running } = this.#progress
    while (running.size > 0) await Promise.all(running)
  }

  /** Refuses all operations that have not begun, and waits for those that have. */
  async end(): Promise<void> {
    this.#progress.hasEnded = true
    await this.settled()
  }
}
