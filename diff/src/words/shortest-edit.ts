import type { Steps } from './steps.ts'

/** Removed and added tokens at most: the cost grows with their square. */
const MOST_EDITS = 5000
/** Steps at most, of searching and of following equal tokens; no two texts cost more. */
const MOST_STEPS = 15_000_000

/** How many of them others wait for. */
const STEPS_AT_ONCE = 100_000

/** The steps done so far, and how many others may be done. */
interface Work {
  steps: number
  pause: number
}

/** A part of an older sequence, and what stands in its place in the newer one. */
export interface Region {
  readonly olderStart: number
  readonly olderEnd: number
  readonly newerStart: number
  readonly newerEnd: number
}

/** Two sequences, read from one of their ends, and how far their diagonals have been reached from there. */
interface Front {
  readonly older: Int32Array
  readonly newer: Int32Array
  /** By diagonal, which is the position in the older sequence less the one in the newer; -1 where none is. */
  readonly reached: Int32Array
  /** Diagonals at both ends that have left the sequences. */
  skippedLow: number
  skippedHigh: number
}

/** Positions in both sequences. */
type Point = readonly [older: number, newer: number]

/**
 * Matches equal numbers of two sequences, in order and as many as possible, in linear space (Myers 1986): for each of
 * the older ones the index of its match, or -1. Null when that is more work than is allowed, which depends on the
 * sequences alone.
 */
export function* matchIds(older: Int32Array, newer: Int32Array): Steps<Int32Array | null> {
  const matches = new Int32Array(older.length).fill(-1)
  const [reversedOlder, reversedNewer] = [older.toReversed(), newer.toReversed()]
  const work: Work = { steps: 0, pause: STEPS_AT_ONCE }
  const regions: Region[] = [{ olderStart: 0, olderEnd: older.length, newerStart: 0, newerEnd: newer.length }]
  for (let region = regions.pop(); region; region = regions.pop()) {
    const { olderStart, olderEnd, newerStart, newerEnd } = matchEnds(older, newer, region, matches)
    if (olderStart === olderEnd || newerStart === newerEnd) continue
    const fromStart = frontOf(older.subarray(olderStart, olderEnd), newer.subarray(newerStart, newerEnd))
    const fromEnd = frontOf(
      reversedOlder.subarray(older.length - olderEnd, older.length - olderStart),
      reversedNewer.subarray(newer.length - newerEnd, newer.length - newerStart),
    )
    const middle = yield* middleOf(fromStart, fromEnd, work)
    if (!middle) return null
    const [olderMiddle, newerMiddle] = [olderStart + middle[0], newerStart + middle[1]]
    regions.push({ olderStart, olderEnd: olderMiddle, newerStart, newerEnd: newerMiddle })
    regions.push({ olderStart: olderMiddle, olderEnd, newerStart: newerMiddle, newerEnd })
  }
  return matches
}

/** Matches what two parts have in common at their beginning and end, and returns what is between. */
function matchEnds(older: Int32Array, newer: Int32Array, region: Region, matches: Int32Array): Region {
  let { olderStart, olderEnd, newerStart, newerEnd } = region
  while (olderStart < olderEnd && newerStart < newerEnd && older[olderStart] === newer[newerStart]) {
    matches[olderStart] = newerStart
    olderStart += 1
    newerStart += 1
  }
  while (olderStart < olderEnd && newerStart < newerEnd && older[olderEnd - 1] === newer[newerEnd - 1]) {
    olderEnd -= 1
    newerEnd -= 1
    matches[olderEnd] = newerEnd
  }
  return { olderStart, olderEnd, newerStart, newerEnd }
}

function frontOf(older: Int32Array, newer: Int32Array): Front {
  const edits = Math.min(MOST_EDITS, older.length + newer.length)
  const reached = new Int32Array(edits + 5).fill(-1)
  reached[zeroOf(reached) + 1] = 0
  return { older, newer, reached, skippedLow: 0, skippedHigh: 0 }
}

const zeroOf = (reached: Int32Array) => reached.length >> 1

/** A point in the middle of a shortest edit, where a search from the start meets one from the end. */
function* middleOf(fromStart: Front, fromEnd: Front, work: Work): Steps<Point | null> {
  const { older, newer } = fromStart
  const isOdd = (older.length - newer.length) % 2 !== 0
  for (let edits = 0; edits <= MOST_EDITS / 2 && work.steps <= MOST_STEPS; edits += 1) {
    const met = advance(fromStart, edits, work, isOdd ? fromEnd : null)
    if (met) return met
    const metBack = advance(fromEnd, edits, work, isOdd ? null : fromStart)
    if (metBack) return [older.length - metBack[0], newer.length - metBack[1]]
    if (work.steps >= work.pause) {
      work.pause = work.steps + STEPS_AT_ONCE
      yield
    }
  }
  return null
}

/** Lets every diagonal go one edit further; returns where it meets the opposite front. */
function advance(front: Front, edits: number, work: Work, opposite: Front | null): Point | null {
  const { older, newer, reached } = front
  const [olderLength, newerLength] = [older.length, newer.length]
  const delta = olderLength - newerLength
  const zero = zeroOf(reached)
  for (let diagonal = front.skippedLow - edits; diagonal <= edits - front.skippedHigh; diagonal += 2) {
    const below = reached[zero + diagonal - 1] ?? -1
    const above = reached[zero + diagonal + 1] ?? -1
    const start = below < above ? above : below + 1
    let x = start
    while (x < olderLength && x - diagonal < newerLength && older[x] === newer[x - diagonal]) x += 1
    work.steps += x - start + 1
    const isInside = x <= olderLength && x - diagonal <= newerLength
    reached[zero + diagonal] = isInside ? x : -1
    if (x > olderLength) front.skippedHigh += 2
    else if (x - diagonal > newerLength) front.skippedLow += 2
    else if (opposite && Math.abs(delta - diagonal) <= edits) {
      const other = opposite.reached[zero + delta - diagonal] ?? -1
      if (other >= 0 && x + other >= olderLength) return [x, x - diagonal]
    }
  }
  return null
}
