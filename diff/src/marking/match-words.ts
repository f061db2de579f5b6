import type { TokenRun } from '../words/diff-tokens.ts'
import type { Steps } from '../words/steps.ts'
import { diffWords } from '../words/text-diff.ts'
import type { Run } from './blocks.ts'
import { type Token, type TokenAt, Words } from './run-words.ts'

/** A run of the newer text with what has changed in it. */
export interface MarkedRun {
  readonly run: Run
  readonly tokens: readonly Token[]
  /** Whether each of the tokens is new. */
  readonly isAdded: readonly boolean[]
  /** Words of older runs, by the index of the token that they stand before. */
  readonly removed: ReadonlyMap<number, readonly Token[]>
}

/** The runs of the newer text that words of an older run are in. */
export interface Successors {
  readonly first: Run
  readonly last: Run
  /** The one that has most of them. */
  readonly main: Run
}

/** Words that two runs must have in common to belong together, as a part of the shorter one. */
const LEAST_IN_COMMON = 0.4

/** Runs that were matched by their words. */
export class WordMatches {
  /** For older runs that have enough in common with newer ones. */
  readonly successors = new Map<Run, Successors>()
  readonly #older: Words
  readonly #newer: Words
  readonly #matches: ReadonlyMap<Token, Match>

  constructor(olderRuns: readonly Run[], { older, newer, matches }: MatchedWords) {
    this.#older = older
    this.#newer = newer
    this.#matches = matches
    for (const run of olderRuns) {
      const matches = this.#matchesIn(run)
      const [first, last] = [matches[0], matches.at(-1)]
      if (!first || !last) continue
      const main = matches.reduce((one, other) => (other.match.common > one.match.common ? other : one))
      this.successors.set(run, { first: first.match.to.run, last: last.match.to.run, main: main.match.to.run })
    }
  }

  /** The newer runs with their marks, where only some of the older ones count. */
  marked(counts: (older: Run) => boolean): MarkedRun[] {
    const drafts = new Map<Run, Draft>()
    const counted = [...this.successors.keys()].filter(counts)
    for (const { match } of counted.flatMap((run) => this.#matchesIn(run))) {
      const { run, index } = match.to
      const draft = drafts.get(run) ?? newDraft(run, this.#newer.tokens.get(run) ?? [])
      drafts.set(run, draft)
      draft.isAdded[index] = false
    }
    for (const run of counted) placeRemoved(this.#older.tokens.get(run) ?? [], this.#matchesIn(run), drafts)
    return [...drafts.values()]
  }

  /** The tokens of a run that are still there, with their indexes. */
  #matchesIn(run: Run): TokenMatch[] {
    const tokens = this.#older.tokens.get(run) ?? []
    return tokens.flatMap((token, index) => {
      const match = this.#matches.get(token)
      return match ? [{ index, match }] : []
    })
  }
}

/** Matches runs by their words, in steps. */
export function* matchWords(olderRuns: readonly Run[], newerRuns: readonly Run[]): Steps<WordMatches> {
  const older = new Words(olderRuns)
  yield
  const newer = new Words(newerRuns)
  yield
  const matches = yield* matchesOf(older, newer)
  return new WordMatches(olderRuns, { older, newer, matches })
}

/** The words of runs, and which of them are the same. */
interface MatchedWords {
  readonly older: Words
  readonly newer: Words
  readonly matches: ReadonlyMap<Token, Match>
}

/** A token that is still there, by its index in the older run. */
interface TokenMatch {
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
  readonly to: TokenAt
  /** Characters that its run has in common with that one. */
  readonly common: number
}

/** The tokens that are the same, of runs that have enough in common. */
function* matchesOf(older: Words, newer: Words): Steps<ReadonlyMap<Token, Match>> {
  const runs = (yield* diffWords(older.words, newer.words)) ?? []
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
    const from = older.positions[index]
    const to = newer.positions[newerStart + index - olderStart]
    if (from && to) yield [from, to] as const
  }
}

function count(common: Map<Run, Map<Run, number>>, { token, run }: TokenAt, to: TokenAt): void {
  const counts = common.get(run) ?? new Map<Run, number>()
  common.set(run, counts)
  counts.set(to.run, (counts.get(to.run) ?? 0) + token.weight)
}

/**
 * Puts what was removed from an older run behind the word that it followed, or before the first one that is left; with
 * a space where what was removed from another run is there, too.
 */
function placeRemoved(tokens: readonly Token[], matches: readonly TokenMatch[], drafts: ReadonlyMap<Run, Draft>): void {
  for (const [order, { index, match }] of matches.entries()) {
    const draft = drafts.get(match.to.run)
    if (!draft) continue
    if (order === 0) putAt(draft, startOfAdded(draft, match.to.index), tokens.slice(0, index))
    putAt(draft, match.to.index + 1, tokens.slice(index + 1, matches[order + 1]?.index))
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

/** Removed words stand before the words that replaced them. */
function startOfAdded({ isAdded, tokens }: Draft, index: number): number {
  let start = index
  while (start > 0 && (isAdded[start - 1] || tokens[start - 1]?.word === null)) start -= 1
  return start
}
