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
