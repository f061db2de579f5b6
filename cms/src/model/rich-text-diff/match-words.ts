import { diffTokens, type TokenRun } from '../text-diff/diff-tokens.ts'
import type { Run } from './blocks.ts'
import { joinedChanges, withoutIslands } from './regions.ts'
import type { Token } from './run-tokens.ts'
import { type PlacedToken, Words } from './words.ts'

/** A run of the newer text with what has changed in it. */
export interface MarkedRun {
  readonly run: Run
  readonly tokens: readonly Token[]
  /** Whether each of the tokens is new. */
  readonly isAdded: readonly boolean[]
  /** Words of older runs, by the index of the token that they stand before. */
  readonly removed: ReadonlyMap<number, readonly Token[]>
  /** The older runs of which most is here. */
  readonly predecessors: readonly Run[]
}

/** Words that two runs must have in common to belong together, as a part of the shorter one. */
const LEAST_IN_COMMON = 0.4

/** Matches runs by their words. Answers those of the newer text that have enough in common with older ones. */
export function matchWords(olderRuns: readonly Run[], newerRuns: readonly Run[]): MarkedRun[] {
  const [older, newer] = [new Words(olderRuns), new Words(newerRuns)]
  const runs = diffTokens(older.keys, newer.keys)
  if (!runs) return []
  const lengthsOf = (region: TokenRun) => ({
    older: older.lengthOf(region.olderStart, region.olderEnd),
    newer: newer.lengthOf(region.newerStart, region.newerEnd),
  })
  const isFixed = ({ newerStart, newerEnd }: TokenRun) => newer.hasBoundary(newerStart, newerEnd)
  const regions = withoutIslands(joinedChanges(runs), lengthsOf, isFixed)
  const matches = matchesOf(regions, older, newer)
  const drafts = new Map<Run, Draft>()
  for (const { to } of matches.values()) {
    const draft = drafts.get(to.run) ?? newDraft(to.run, newer.tokens.get(to.run) ?? [])
    drafts.set(to.run, draft)
    draft.isAdded[to.index] = false
  }
  for (const run of olderRuns) placeRemoved(run, older.tokens.get(run) ?? [], matches, drafts)
  return [...drafts.values()]
}

interface Draft extends MarkedRun {
  readonly isAdded: boolean[]
  readonly removed: Map<number, Token[]>
  readonly predecessors: Run[]
}

function newDraft(run: Run, tokens: readonly Token[]): Draft {
  return { run, tokens, isAdded: tokens.map(({ key }) => key !== null), removed: new Map(), predecessors: [] }
}

/** Where an older token is in the newer text. */
interface Match {
  readonly to: PlacedToken
  /** Characters that its run has in common with that one. */
  readonly common: number
}

/** The tokens that are the same, of runs that have enough in common. */
function matchesOf(regions: readonly TokenRun[], older: Words, newer: Words): ReadonlyMap<Token, Match> {
  const pairs = regions.flatMap((region) => (region.change === 'same' ? [...pairsOf(region, older, newer)] : []))
  const common = new Map<Run, Map<Run, number>>()
  for (const [from, to] of pairs) count(common, from, to)
  const matches = new Map<Token, Match>()
  for (const [from, to] of pairs) {
    const shared = common.get(from.run)?.get(to.run) ?? 0
    const least = LEAST_IN_COMMON * Math.min(older.weightOf(from.run), newer.weightOf(to.run))
    if (shared >= least) matches.set(from.token, { to, common: shared })
  }
  return matches
}

function* pairsOf({ olderStart, olderEnd, newerStart }: TokenRun, older: Words, newer: Words) {
  for (let index = olderStart; index < olderEnd; index += 1) {
    const from = older.placed[index]
    const to = newer.placed[newerStart + index - olderStart]
    if (from && to) yield [from, to] as const
  }
}

function count(common: Map<Run, Map<Run, number>>, { token, run }: PlacedToken, to: PlacedToken): void {
  const counts = common.get(run) ?? new Map<Run, number>()
  common.set(run, counts)
  counts.set(to.run, (counts.get(to.run) ?? 0) + token.weight)
}

/** Puts what was removed from an older run behind the word that it followed, or before the first one that is left. */
function placeRemoved(
  run: Run,
  tokens: readonly Token[],
  matches: ReadonlyMap<Token, Match>,
  drafts: ReadonlyMap<Run, Draft>,
): void {
  const found = tokens.flatMap((token, at) => {
    const match = matches.get(token)
    const draft = match && drafts.get(match.to.run)
    return match && draft ? [{ at, match, draft }] : []
  })
  const [first] = found
  if (!first) return
  const best = found.reduce((one, other) => (other.match.common > one.match.common ? other : one))
  best.draft.predecessors.push(run)
  putAt(first.draft, startOfAdded(first.draft, first.match.to.index), tokens.slice(0, first.at))
  for (const [order, { at, match, draft }] of found.entries())
    putAt(draft, match.to.index + 1, tokens.slice(at + 1, found[order + 1]?.at))
}

function putAt({ removed }: Draft, index: number, tokens: readonly Token[]): void {
  const seen = tokens.filter(({ key }) => key !== null)
  if (seen.length > 0) removed.set(index, [...(removed.get(index) ?? []), ...seen])
}

/** What was removed stands before what was added in its place. */
function startOfAdded({ isAdded, tokens }: Draft, index: number): number {
  let start = index
  while (start > 0 && (isAdded[start - 1] || tokens[start - 1]?.key === null)) start -= 1
  return start
}
