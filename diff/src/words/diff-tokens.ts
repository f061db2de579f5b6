import { matchIds } from './shortest-edit.ts'

/** Neighbouring tokens of one change: what two lists have in common, or what only one of them has. */
export interface TokenRun {
  readonly change: 'same' | 'added' | 'removed'
  readonly olderStart: number
  readonly olderEnd: number
  readonly newerStart: number
  readonly newerEnd: number
}

/**
 * Which runs of two lists of tokens are the same, as many tokens as possible; null when they differ by more than about
 * 5,000 tokens that both have (§2.5).
 */
export function diffTokens(older: readonly string[], newer: readonly string[]): readonly TokenRun[] | null {
  const matches = matchTokens(older, newer)
  return matches && runsOf(matches, newer.length)
}

/** For each older token the index of the newer one that it is, or -1; null when they differ too much. */
export function matchTokens(older: readonly string[], newer: readonly string[]): Int32Array | null {
  const ids = new Map<string, number>()
  const olderIds = Int32Array.from(older, (token) => idOf(ids, token))
  const inOlder = ids.size
  const newerIds = Int32Array.from(newer, (token) => idOf(ids, token))
  // Tokens that only one list has match nothing: without them, rewritten texts take little work.
  const isInNewer = new Uint8Array(ids.size)
  for (const id of newerIds) isInNewer[id] = 1
  const olderCommon = indexesOf(olderIds, (id) => isInNewer[id] === 1)
  const newerCommon = indexesOf(newerIds, (id) => id < inOlder)
  const commonMatches = matchIds(idsAt(olderIds, olderCommon), idsAt(newerIds, newerCommon))
  if (!commonMatches) return null
  const matches = new Int32Array(older.length).fill(-1)
  for (const [index, match] of commonMatches.entries())
    if (match >= 0) matches[olderCommon[index] ?? 0] = newerCommon[match] ?? 0
  return matches
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
  let newer = 0
  for (let older = 0; older < matches.length || newer < newerLength; ) {
    const [olderStart, newerStart] = [older, newer]
    while (older < matches.length && matches[older] === newer) {
      older += 1
      newer += 1
    }
    addRun(runs, 'same', olderStart, older, newerStart, newer)
    const removedStart = older
    while (older < matches.length && matches[older] === -1) older += 1
    addRun(runs, 'removed', removedStart, older, newer, newer)
    const addedStart = newer
    newer = older < matches.length ? (matches[older] ?? 0) : newerLength
    addRun(runs, 'added', older, older, addedStart, newer)
  }
  return runs
}

function addRun(
  runs: TokenRun[],
  change: TokenRun['change'],
  olderStart: number,
  olderEnd: number,
  newerStart: number,
  newerEnd: number,
): void {
  if (olderStart < olderEnd || newerStart < newerEnd) runs.push({ change, olderStart, olderEnd, newerStart, newerEnd })
}
