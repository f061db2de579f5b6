import { matchIds, type Region } from './shortest-edit.ts'
import type { Steps } from './steps.ts'

/** Neighbouring tokens of one change: what two lists have in common, or what only one of them has. */
export interface TokenRun extends Region {
  readonly change: 'same' | 'added' | 'removed'
}

/**
 * Returns the runs that two lists of tokens share, with as many tokens as possible; null when they differ by more than
 * about 5,000 tokens that both have (§2.5).
 */
export function* diffTokens(older: readonly string[], newer: readonly string[]): Steps<readonly TokenRun[] | null> {
  const matches = yield* matchTokens(older, newer)
  return matches && runsOf(matches, newer.length)
}

/** Returns for each older token the index of the matching newer one, or -1; null when they differ too much. */
export function* matchTokens(older: readonly string[], newer: readonly string[]): Steps<Int32Array | null> {
  const ids = new Map<string, number>()
  const olderIds = yield* idsOf(older, ids)
  const inOlder = ids.size
  const newerIds = yield* idsOf(newer, ids)
  // Tokens that only one list has match nothing: without them, rewritten texts take little work.
  yield
  const isInNewer = new Uint8Array(ids.size)
  for (const id of newerIds) isInNewer[id] = 1
  const olderCommon = indexesOf(olderIds, (id) => isInNewer[id] === 1)
  const newerCommon = indexesOf(newerIds, (id) => id < inOlder)
  yield
  const commonMatches = yield* matchIds(idsAt(olderIds, olderCommon), idsAt(newerIds, newerCommon))
  if (!commonMatches) return null
  yield
  const matches = new Int32Array(older.length).fill(-1)
  for (let index = 0; index < commonMatches.length; index += 1) {
    const match = commonMatches[index] ?? -1
    if (match >= 0) matches[olderCommon[index] ?? 0] = newerCommon[match] ?? 0
  }
  yield
  return matches
}

/** Tokens that are numbered in one step. */
const TOKENS_AT_ONCE = 10_000

function* idsOf(tokens: readonly string[], ids: Map<string, number>): Steps<Int32Array> {
  const all = new Int32Array(tokens.length)
  for (const [index, token] of tokens.entries()) {
    all[index] = idOf(ids, token)
    if (index % TOKENS_AT_ONCE === TOKENS_AT_ONCE - 1) yield
  }
  return all
}

function idOf(ids: Map<string, number>, token: string): number {
  const known = ids.get(token)
  if (known !== undefined) return known
  ids.set(token, ids.size)
  return ids.size - 1
}

function indexesOf(ids: Int32Array, isIncluded: (id: number) => boolean): number[] {
  const indexes: number[] = []
  for (let index = 0; index < ids.length; index += 1) if (isIncluded(ids[index] ?? 0)) indexes.push(index)
  return indexes
}

function idsAt(ids: Int32Array, indexes: readonly number[]): Int32Array {
  return Int32Array.from(indexes, (index) => ids[index] ?? 0)
}

/** Matches as runs: what is removed stands before what is added in its place. */
export function runsOf(matches: Int32Array, newerLength: number): TokenRun[] {
  const runs: TokenRun[] = []
  let [older, newer] = [0, 0]
  /** A run that ends here, unless it is empty. */
  const add = (change: TokenRun['change'], olderStart: number, newerStart: number) => {
    if (olderStart < older || newerStart < newer)
      runs.push({ change, olderStart, olderEnd: older, newerStart, newerEnd: newer })
  }
  while (older < matches.length || newer < newerLength) {
    const [olderStart, newerStart] = [older, newer]
    while (older < matches.length && matches[older] === newer) {
      older += 1
      newer += 1
    }
    add('same', olderStart, newerStart)
    const removedStart = older
    while (older < matches.length && matches[older] === -1) older += 1
    add('removed', removedStart, newer)
    const addedStart = newer
    newer = older < matches.length ? (matches[older] ?? 0) : newerLength
    add('added', older, addedStart)
  }
  return runs
}

/** Neighbouring changes as one: what was removed together with what stands in its place. */
export function joinedChanges(runs: readonly TokenRun[]): TokenRun[] {
  const regions: TokenRun[] = []
  for (const run of runs) {
    const last = regions.at(-1)
    if (last && last.change !== 'same' && run.change !== 'same') {
      regions[regions.length - 1] = { ...last, olderEnd: run.olderEnd, newerEnd: run.newerEnd }
    } else regions.push(run)
  }
  return regions
}
