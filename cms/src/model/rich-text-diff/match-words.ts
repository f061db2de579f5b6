import type { TokenRun } from '../text-diff/diff-tokens.ts'
import { diffWords } from '../text-diff/diff-words.ts'
import type { Run } from './blocks.ts'
import type { MarkedRun, Successors, Token } from './marking/marks.ts'
import { type PlacedToken, Words } from './placed-words.ts'

/** Words that two runs must have in common to belong together, as a part of the shorter one. */
const LEAST_IN_COMMON = 0.4

/** Runs that were matched by their words. */
export class WordMatches {
  /** For older runs that have enough in common with newer ones. */
  readonly successors = new Map<Run, Successors>()
  readonly #older: Words
  readonly #newer: Words
  readonly #matches: ReadonlyMap<Token, Match>

  constructor(olderRuns: readonly Run[], newerRuns: readonly Run[]) {
    this.#older = new Words(olderRuns)
    this.#newer = new Words(newerRuns)
    this.#matches = matchesOf(this.#older, this.#newer)
    for (const run of olderRuns) {
      const found = this.#found(run)
      const [first, last] = [found[0], found.at(-1)]
      if (!first || !last) continue
      const main = found.reduce((one, other) => (other.match.common > one.match.common ? other : one))
      this.successors.set(run, { first: first.match.to.run, last: last.match.to.run, main: main.match.to.run })
    }
  }

  /** The newer runs with their marks, where only some of the older ones count. */
  marked(counts: (older: Run) => boolean): MarkedRun[] {
    const drafts = new Map<Run, Draft>()
    const counted = [...this.successors.keys()].filter(counts)
    for (const { match } of counted.flatMap((run) => this.#found(run))) {
      const { run, index } = match.to
      const draft = drafts.get(run) ?? newDraft(run, this.#newer.tokens.get(run) ?? [])
      drafts.set(run, draft)
      draft.isAdded[index] = false
    }
    for (const run of counted) placeRemoved(this.#older.tokens.get(run) ?? [], this.#found(run), drafts)
    return [...drafts.values()]
  }

  /** The tokens of a run that are still there, with their indexes. */
  #found(run: Run): Found[] {
    const tokens = this.#older.tokens.get(run) ?? []
    return tokens.flatMap((token, index) => {
      const match = this.#matches.get(token)
      return match ? [{ index, match }] : []
    })
  }
}

interface Found {
  readonly index: number
  readonly match: Match
}

interface Draft extends MarkedRun {
  readonly isAdded: boolean[]
  readonly removed: Map<number, Token[]>
}

function newDraft(run: Run, tokens: readonly Token[]): Draft {
  return { run, tokens, isAdded: tokens.map(({ word }) => word !== null), removed: new Map() }
}

/** Where an older token is in the newer text. */
interface Match {
  readonly to: PlacedToken
  /** Characters that its run has in common with that one. */
  readonly common: number
}

/** The tokens that are the same, of runs that have enough in common. */
function matchesOf(older: Words, newer: Words): ReadonlyMap<Token, Match> {
  const runs = diffWords(older.words, newer.words) ?? []
  const pairs = runs.flatMap((one) => (one.change === 'same' ? [...pairsOf(one, older, newer)] : []))
  const common = new Map<Run, Map<Run, number>>()
  for (const [from, to] of pairs) count(common, from, to)
  const matches = new Map<Token, Match>()
  for (const [from, to] of pairs) {
    const shared = common.get(from.run)?.get(to.run) ?? 0
    const [weight, otherWeight] = [older.weightOf(from.run), newer.weightOf(to.run)]
    const isEnough = shared > 0 ? shared >= LEAST_IN_COMMON * Math.min(weight, otherWeight) : weight + otherWeight === 0
    if (isEnough) matches.set(from.token, { to, common: shared })
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

/**
 * Puts what was removed from an older run behind the word that it followed, or before the first one that is left; with
 * a space where what was removed from another run is there, too.
 */
function placeRemoved(tokens: readonly Token[], found: readonly Found[], drafts: ReadonlyMap<Run, Draft>): void {
  for (const [order, { index, match }] of found.entries()) {
    const draft = drafts.get(match.to.run)
    if (!draft) continue
    if (order === 0) putAt(draft, startOfAdded(draft, match.to.index), tokens.slice(0, index))
    putAt(draft, match.to.index + 1, tokens.slice(index + 1, found[order + 1]?.index))
  }
}

function putAt({ removed }: Draft, index: number, tokens: readonly Token[]): void {
  const [first, ...others] = tokens.filter(({ word }) => word !== null)
  if (!first) return
  const before = removed.get(index)
  if (before) before.push({ ...first, html: ` ${first.html}` })
  else removed.set(index, [first])
  for (const token of others) removed.get(index)?.push(token)
}

/** What was removed stands before what was added in its place. */
function startOfAdded({ isAdded, tokens }: Draft, index: number): number {
  let start = index
  while (start > 0 && (isAdded[start - 1] || tokens[start - 1]?.word === null)) start -= 1
  return start
}
