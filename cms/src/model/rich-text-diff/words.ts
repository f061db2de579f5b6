import type { Run } from './blocks.ts'
import type { Token } from './marks.ts'
import { tokensOf } from './run-tokens.ts'

/** A token where it stands. */
export interface PlacedToken {
  readonly token: Token
  readonly run: Run
  /** Its index in the run. */
  readonly index: number
}

const BOUNDARY = '\n'

/** The words of several runs, with a boundary after each run. */
export class Words {
  readonly keys: string[] = []
  /** Null for boundaries. */
  readonly placed: (PlacedToken | null)[] = []
  readonly tokens = new Map<Run, readonly Token[]>()
  readonly #weights = new Map<Run, number>()
  /** Characters, and boundaries, before each of them. */
  readonly #lengths: number[] = [0]
  readonly #boundaries: number[] = [0]

  constructor(runs: readonly Run[]) {
    for (const run of runs) {
      const tokens = tokensOf(run)
      this.tokens.set(run, tokens)
      let weight = 0
      for (const [index, token] of tokens.entries()) {
        weight += token.weight
        if (token.key !== null) this.#add(token.key, { token, run, index })
      }
      this.#weights.set(run, weight)
      this.#add(BOUNDARY, null)
    }
  }

  weightOf(run: Run): number {
    return this.#weights.get(run) ?? 0
  }

  lengthOf(start: number, end: number): number {
    return (this.#lengths[end] ?? 0) - (this.#lengths[start] ?? 0)
  }

  hasBoundary(start: number, end: number): boolean {
    return this.#boundaries[start] !== this.#boundaries[end]
  }

  #add(key: string, placed: PlacedToken | null): void {
    this.keys.push(key)
    this.placed.push(placed)
    this.#lengths.push((this.#lengths.at(-1) ?? 0) + Math.max(placed?.token.weight ?? 0, 1))
    this.#boundaries.push((this.#boundaries.at(-1) ?? 0) + (placed ? 0 : 1))
  }
}
