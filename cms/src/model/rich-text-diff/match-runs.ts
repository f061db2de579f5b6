import { diffTokens, type TokenRun } from '../text-diff/diff-tokens.ts'
import type { Run } from './blocks.ts'
import { type MarkedRun, matchWords } from './match-words.ts'
import { joinedChanges } from './regions.ts'
import { keyOfRun } from './run-tokens.ts'

/** Which runs of two rich texts belong together. */
export interface RunMatches {
  /** Runs of the newer text that were made from older ones; null for those that are equal to one. Others are new. */
  readonly marked: ReadonlyMap<Run, MarkedRun | null>
  /** For runs of the older text, the one of the newer text that has most of it. Others are gone. */
  readonly successors: ReadonlyMap<Run, Run>
}

/** Characters of changed text to compare word by word at most; the rest is replaced as a whole. */
const MOST_CHARACTERS = 200_000

/** Matches the runs of two rich texts: first those that are equal, then what is between them by its words. */
export function matchRuns(older: readonly Run[], newer: readonly Run[]): RunMatches {
  const marked = new Map<Run, MarkedRun | null>()
  const successors = new Map<Run, Run>()
  let characters = 0
  for (const { change, olderStart, olderEnd, newerStart, newerEnd } of regionsOf(older, newer)) {
    const olderRuns = older.slice(olderStart, olderEnd)
    const newerRuns = newer.slice(newerStart, newerEnd)
    if (change === 'same') {
      for (const [index, run] of newerRuns.entries()) {
        marked.set(run, null)
        const equal = olderRuns[index]
        if (equal) successors.set(equal, run)
      }
    } else if (olderRuns.length > 0 && newerRuns.length > 0) {
      characters += lengthOf(olderRuns) + lengthOf(newerRuns)
      if (characters > MOST_CHARACTERS) continue
      for (const one of matchWords(olderRuns, newerRuns)) {
        marked.set(one.run, one)
        for (const run of one.predecessors) successors.set(run, one.run)
      }
    }
  }
  return { marked, successors }
}

/** Equal runs, and what has changed between them; all at once where too much has changed. */
function regionsOf(older: readonly Run[], newer: readonly Run[]): readonly TokenRun[] {
  const found = diffTokens(older.map(keyOfRun), newer.map(keyOfRun))
  if (found) return joinedChanges(found)
  return [{ change: 'removed', olderStart: 0, olderEnd: older.length, newerStart: 0, newerEnd: newer.length }]
}

function lengthOf(runs: readonly Run[]): number {
  return runs.reduce((sum, { pieces }) => sum + pieces.reduce((all, { text }) => all + text.length, 0), 0)
}
