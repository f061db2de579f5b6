import { diffTokens, joinedChanges, type TokenRun } from '../words/diff-tokens.ts'
import type { Steps } from '../words/steps.ts'
import type { Run } from './blocks.ts'
import { type MarkedRun, matchWords, type Successors, type WordMatches } from './match-words.ts'
import { keyOfRun } from './run-words.ts'

/** Characters of changed text to compare word by word at most; the rest is replaced as a whole. */
const MOST_CHARACTERS = 200_000

/** Matches the runs of two rich texts: first those that are equal, then those in between by their words. */
export class RunMatches {
  /** For runs of the older text, those of the newer text that have its words. A run without successors was removed. */
  readonly successors = new Map<Run, Successors>()
  readonly #equal = new Map<Run, Run>()
  readonly #words: WordMatches[] = []

  /** Runs of the newer text that have words of older ones, with their marks; null for those that are equal to one. */
  marked(): ReadonlyMap<Run, MarkedRun | null> {
    const marked = new Map<Run, MarkedRun | null>()
    for (const [run, successor] of this.#equal) if (this.successors.has(run)) marked.set(successor, null)
    for (const words of this.#words)
      for (const one of words.marked((run) => this.successors.has(run))) marked.set(one.run, one)
    return marked
  }

  /** Matches runs, in steps. */
  *match(older: readonly Run[], newer: readonly Run[]): Steps<void> {
    let characters = 0
    for (const { change, olderStart, olderEnd, newerStart, newerEnd } of yield* regionsOf(older, newer)) {
      const olderRuns = older.slice(olderStart, olderEnd)
      const newerRuns = newer.slice(newerStart, newerEnd)
      if (change === 'same') this.#addEqual(olderRuns, newerRuns)
      else if (olderRuns.length > 0 && newerRuns.length > 0) {
        characters += lengthOf(olderRuns) + lengthOf(newerRuns)
        if (characters <= MOST_CHARACTERS) this.#addWords(yield* matchWords(olderRuns, newerRuns))
      }
    }
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
function* regionsOf(older: readonly Run[], newer: readonly Run[]): Steps<readonly TokenRun[]> {
  const runs = yield* diffTokens(older.map(keyOfRun), newer.map(keyOfRun))
  if (runs) return joinedChanges(runs)
  return [{ change: 'removed', olderStart: 0, olderEnd: older.length, newerStart: 0, newerEnd: newer.length }]
}

function lengthOf(runs: readonly Run[]): number {
  return runs.reduce((sum, { pieces }) => sum + pieces.reduce((all, { text }) => all + text.length, 0), 0)
}
