import { waitForTurn } from '../../base/turns.ts'

/** How many characters are compared word by word for one answer, and how many at a time. */
const MAX_COMPARED = 1_000_000
const MAX_AT_ONCE = 50_000

/** How much text may still be compared word by word for one answer. */
export class WordBudget {
  #compared = 0

  /** Whether texts of this length may be compared, which then count; lets other requests run now and then. */
  async spend(characters: number): Promise<boolean> {
    const before = this.#compared
    if (before + characters > MAX_COMPARED) return false
    this.#compared += characters
    if (Math.floor(before / MAX_AT_ONCE) < Math.floor(this.#compared / MAX_AT_ONCE)) await waitForTurn()
    return true
  }
}
