import { diffArrays } from 'diff'

/** Neighbouring tokens of one change: what two lists have in common, or what only one of them has. */
export interface TokenRun {
  readonly change: 'same' | 'added' | 'removed'
  readonly olderStart: number
  readonly olderEnd: number
  readonly newerStart: number
  readonly newerEnd: number
}

const MOST_EDITS = 5000

/** Which runs of two lists of tokens are the same; null when they differ by more than 5,000 tokens (§2.5). */
export function diffTokens(older: readonly string[], newer: readonly string[]): readonly TokenRun[] | null {
  const found = diffArrays([...older], [...newer], { maxEditLength: MOST_EDITS })
  if (!found) return null
  const runs: TokenRun[] = []
  let olderStart = 0
  let newerStart = 0
  for (const { added, removed, count } of found) {
    const change = added ? 'added' : removed ? 'removed' : 'same'
    const olderEnd = olderStart + (added ? 0 : count)
    const newerEnd = newerStart + (removed ? 0 : count)
    runs.push({ change, olderStart, olderEnd, newerStart, newerEnd })
    olderStart = olderEnd
    newerStart = newerEnd
  }
  return runs
}
