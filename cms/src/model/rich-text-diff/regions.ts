import type { TokenRun } from '../text-diff/diff-tokens.ts'

/** Neighbouring changes as one: what was removed together with what stands in its place. */
export function joinedChanges(runs: readonly TokenRun[]): TokenRun[] {
  const regions: TokenRun[] = []
  for (const run of runs) {
    const last = regions.at(-1)
    if (last && last.change !== 'same' && run.change !== 'same') regions[regions.length - 1] = joined(last, run)
    else regions.push(run)
  }
  return regions
}

/** What a region costs a reader, in characters of either side. */
export type Lengths = (region: TokenRun) => { readonly older: number; readonly newer: number }

/**
 * Regions without the islands that make a change hard to read: what is the same between two changes, and shorter than
 * both, becomes part of one change. `isFixed` tells what must stay.
 */
export function withoutIslands(
  regions: readonly TokenRun[],
  lengthsOf: Lengths,
  isFixed: (region: TokenRun) => boolean,
): TokenRun[] {
  const found: TokenRun[] = []
  for (const region of regions) {
    let last = region
    for (;;) {
      const [before, island] = [found.at(-2), found.at(-1)]
      if (!before || !island || last.change === 'same' || island.change !== 'same' || isFixed(island)) break
      if (!isIsland(lengthsOf(before), lengthsOf(island).newer, lengthsOf(last))) break
      found.length -= 2
      last = joined(joined(before, island), last)
    }
    found.push(last)
  }
  return found
}

type Change = ReturnType<Lengths>

/** Where text was only added, or only removed, what is between stays. */
function isIsland(before: Change, between: number, after: Change): boolean {
  const isReplaced = before.older + after.older > 0 && before.newer + after.newer > 0
  return isReplaced && between <= Math.max(before.older, before.newer) && between <= Math.max(after.older, after.newer)
}

function joined(first: TokenRun, last: TokenRun): TokenRun {
  return { ...first, olderEnd: last.olderEnd, newerEnd: last.newerEnd }
}
