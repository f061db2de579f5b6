import { diffTokens, type TokenRun } from '../text-diff/diff-tokens.ts'
import type { Run } from './blocks.ts'
import type { MarkedRun, Successors } from './marking/marks.ts'
import { WordMatches } from './match-words.ts'
import { keyOfRun } from './run-tokens.ts'

/** Characters of changed text to compare word by word at most; the rest is replaced as a whole. */
const MOST_CHARACTERS = 200_000

/** Which runs of two rich texts belong together: first those that are equal, then what is between them by its words. */
export class RunMatches {
  /** For runs of the older text, those of the newer text that have its words. What is not here is gone. */
  readonly successors = new Map<Run, Successors>()
  readonly #equal = new Map<Run, Run>()
  readonly #words: WordMatches[] = []

  constructor(older: readonly Run[], newer: readonly Run[]) {
    let characters = 0
    for (const { change, olderStart, olderEnd, newerStart, newerEnd } of regionsOf(older, newer)) {
      const olderRuns = older.slice(olderStart, olderEnd)
      const newerRuns = newer.slice(newerStart, newerEnd)
      if (change === 'same') this.#addEqual(olderRuns, newerRuns)
      else if (olderRuns.length > 0 && newerRuns.length > 0) {
        characters += lengthOf(olderRuns) + lengthOf(newerRuns)
        if (characters <= MOST_CHARACTERS) this.#addWords(new WordMatches(olderRuns, newerRuns))
      }
    }
  }

  /** Runs of the newer text that have words of older ones, with their marks; null for those that are equal to one. */
  marked(): ReadonlyMap<Run, MarkedRun | null> {
    const marked = new Map<Run, MarkedRun | null>()
    for (const [run, successor] of this.#equal) if (this.successors.has(run)) marked.set(successor, null)
    for (const words of this.#words)
      for (const one of words.marked((run) => this.successors.has(run))) marked.set(one.run, one)
    return marked
  }

  #addEqual(olderRuns: readonly Run[], newerRuns: readonly Run[]): void {
    for (const [index, run] of olderRuns.entries()) {
      const equal = newerRuns[index]
      if (!equal) continue
      this.#equal.set(run, equal)
      this.successors.set(run, { first: equal, last: equal, main: equal })
    }
  }

  #addWords(words: WordMatches): void {
    this.#words.push(words)
    for (const [run, successors] of words.successors) this.successors.set(run, successors)
  }
}

/** Equal runs, and what has changed between them; all at once where too much has changed. */
function regionsOf(older: readonly Run[], newer: readonly Run[]): readonly TokenRun[] {
  const found = diffTokens(older.map(keyOfRun), newer.map(keyOfRun))
  if (found) return joinedChanges(found)
  return [{ change: 'removed', olderStart: 0, olderEnd: older.length, newerStart: 0, newerEnd: newer.length }]
}

/** Neighbouring changes as one: what was removed together with what stands in its place. */
function joinedChanges(runs: readonly TokenRun[]): TokenRun[] {
  const regions: TokenRun[] = []
  for (const run of runs) {
    const last = regions.at(-1)
    if (last && last.change !== 'same' && run.change !== 'same') {
      regions[regions.length - 1] = { ...last, olderEnd: run.olderEnd, newerEnd: run.newerEnd }
    } else regions.push(run)
  }
  return regions
}

function lengthOf(runs: readonly Run[]): number {
  return runs.reduce((sum, { pieces }) => sum + pieces.reduce((all, { text }) => all + text.length, 0), 0)
}
