import { unavailable } from '../../base/errors.ts'

const TAKEN_OVER = 'A newer version of this service has taken over. Try again in a moment.'

/**
 * Keeps this process from tables that another program has brought to another version (§0.11): from the moment it
 * notices, nothing is read, written or answered from memory.
 */
export class Fence {
  readonly #report: (version: number) => void
  #isOutdated = false

  /** `report` is called once, with the version of the tables. */
  constructor(report: (version: number) => void) {
    this.#report = report
  }

  get isOutdated(): boolean {
    return this.#isOutdated
  }

  /** The tables are at another version than this program knows. */
  close(version: number): void {
    if (this.#isOutdated) return
    this.#isOutdated = true
    this.#report(version)
  }

  /** Throws `unavailable` once they are. */
  assertOpen(): void {
    if (this.#isOutdated) throw unavailable(TAKEN_OVER)
  }
}
