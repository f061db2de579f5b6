import { turnToBlock } from '../../base/turns.ts'

/** Of how many characters the words are compared for one answer, and how many at a time. */
const MAX_COMPARED = 1_000_000
const MAX_AT_ONCE = 50_000

/** How much text may still be compared by words for one answer. */
export class WordBudget {
  #compared = 0

  /** Whether texts of so many characters may be compared, which then count; gives way to other requests now and then. */
  async spend(characters: number): Promise<boolean> {
    const before = this.#compared
    if (before + characters > MAX_COMPARED) return false
    this.#compared += characters
    if (Math.floor(before / MAX_AT_ONCE) < Math.floor(this.#compared / MAX_AT_ONCE)) await turnToBlock()
    return true
  }
}
