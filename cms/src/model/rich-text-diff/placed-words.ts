import type { Word } from '../text-diff/words.ts'
import type { Run } from './blocks.ts'
import type { Token } from './marking/marks.ts'
import { tokensOf } from './run-tokens.ts'

/** A token where it stands. */
export interface PlacedToken {
  readonly token: Token
  readonly run: Run
  /** Its index in the run. */
  readonly index: number
}

/** The end of a run. */
const BOUNDARY: Word = { text: '\n' }

/** The words of several runs, with a boundary after each run. */
export class Words {
  readonly words: Word[] = []
  /** Where each of them stands; null for boundaries. */
  readonly placed: (PlacedToken | null)[] = []
  readonly tokens = new Map<Run, readonly Token[]>()
  readonly #weights = new Map<Run, number>()

  constructor(runs: readonly Run[]) {
    for (const run of runs) {
      const tokens = tokensOf(run)
      this.tokens.set(run, tokens)
      let weight = 0
      for (const [index, token] of tokens.entries()) {
        weight += token.weight
        if (token.word !== null) this.#add(token.word, { token, run, index })
      }
      this.#weights.set(run, weight)
      this.#add(BOUNDARY, null)
    }
  }

  weightOf(run: Run): number {
    return this.#weights.get(run) ?? 0
  }

  #add(word: Word, placed: PlacedToken | null): void {
    this.words.push(word)
    this.placed.push(placed)
  }
}
