/**
 * Looks at what other processes have changed, for requests that have come: once for all that were read in the same turn
 * of the event loop, after the last of them. So each is answered by what was committed before it was sent, and many at a
 * time cost one look.
 */
export class Looks {
  readonly #look: () => boolean
  #came = 0
  /** The last request that had come before the last look. */
  #looked = 0
  #isCaughtUp = false

  /** `look` says whether everything is known that was committed. */
  constructor(look: () => boolean) {
    this.#look = look
  }

  /** Calls back at the end of this turn, with what the look has said. */
  next(goOn: (isCaughtUp: boolean) => void, fail: (error: Error) => void): void {
    this.#came += 1
    const request = this.#came
    setImmediate(() => {
      try {
        if (request > this.#looked) this.#lookForAll()
        goOn(this.#isCaughtUp)
      } catch (error) {
        fail(error instanceof Error ? error : new Error(String(error)))
      }
    })
  }

  #lookForAll(): void {
    this.#isCaughtUp = this.#look()
    this.#looked = this.#came
  }
}
