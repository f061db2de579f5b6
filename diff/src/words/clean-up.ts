import type { Region } from './shortest-edit.ts'
import { type Alignment, isPunctuation, type Side, unmatch, type Word } from './words.ts'

/** How much a part of a text is. */
interface Size {
  readonly words: number
  /** Letters; those of scripts that say more with each count twice. */
  readonly letters: number
}

/** The change between two runs of matched words. */
interface ChangedPart {
  readonly removed: Size
  readonly added: Size
}

/** Neighbouring words that are matched with neighbouring words, and what was changed before them. */
interface MatchedRun extends Region {
  readonly before: ChangedPart
}

/**
 * Takes apart what two texts have in common only by chance: little words and marks between large changes, which would
 * cut a rewritten sentence into pieces (§2.5).
 */
export function cleanUp(alignment: Alignment): void {
  const runs: MatchedRun[] = []
  let previous = { olderEnd: 0, newerEnd: 0 }
  for (const run of matchedRuns(alignment)) {
    let change = changeBetween(alignment, previous, run)
    for (let last = runs.at(-1); last && isByChance(alignment, last, change); last = runs.at(-1)) {
      for (let index = last.olderStart; index < last.olderEnd; index += 1) unmatch(alignment, index)
      change = joined(last.before, sizeOf(alignment.older, last.olderStart, last.olderEnd), change)
      runs.pop()
    }
    runs.push({ ...run, before: change })
    previous = run
  }
}

/** All runs of matched words, and an empty one at the end. */
function* matchedRuns({ older, newer, toNewer }: Alignment): Generator<Region> {
  for (let start = 0, end = 0; start < older.words.length; start = Math.max(end, start + 1)) {
    const newerStart = toNewer[start] ?? -1
    if (newerStart < 0) continue
    for (end = start + 1; end < older.words.length && toNewer[end] === newerStart + end - start; ) end += 1
    yield { olderStart: start, olderEnd: end, newerStart, newerEnd: newerStart + end - start }
  }
  const [olderEnd, newerEnd] = [older.words.length, newer.words.length]
  yield { olderStart: olderEnd, olderEnd, newerStart: newerEnd, newerEnd }
}

function changeBetween(
  { older, newer }: Alignment,
  { olderEnd, newerEnd }: Pick<Region, 'olderEnd' | 'newerEnd'>,
  next: Region,
): ChangedPart {
  return { removed: sizeOf(older, olderEnd, next.olderStart), added: sizeOf(newer, newerEnd, next.newerStart) }
}

/** Joins two changes and the text between them. */
function joined(before: ChangedPart, between: Size, after: ChangedPart): ChangedPart {
  return { removed: sum(before.removed, between, after.removed), added: sum(before.added, between, after.added) }
}

function sum(...sizes: readonly Size[]): Size {
  return {
    words: sizes.reduce((total, { words }) => total + words, 0),
    letters: sizes.reduce((total, { letters }) => total + letters, 0),
  }
}

function sizeOf({ words, spaces }: Side, start: number, end: number): Size {
  let [count, letters] = [0, 0]
  for (let index = start; index < end; index += 1) {
    const word = words[index]
    if (!word) break
    const isJoined = spaces[index] === '' && JOINTS.test(words[index - 1]?.text ?? '')
    if (!isJoined && !isPunctuation(word)) count += 1
    letters += lettersOf(word)
  }
  return { words: count, letters }
}

/** More than any change. */
const OBJECT = 1_000_000_000
const DENSE = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Khmer}\p{sc=Lao}\p{sc=Myanmar}]/u

function lettersOf(word: Word): number {
  if (word.object !== undefined) return OBJECT
  if (isPunctuation(word)) return 1
  return DENSE.test(word.text) ? word.text.length * 2 : word.text.length
}

/** A change of fewer words leaves its neighbours matched. */
const LARGE = 2
/** Words and marks that texts have in common by chance at most. */
const MOST_BY_CHANCE = 4

function isByChance(alignment: Alignment, run: MatchedRun, after: ChangedPart): boolean {
  if (run.olderEnd - run.olderStart > MOST_BY_CHANCE || hasLineBreak(alignment, run)) return false
  const { before } = run
  const { words, letters } = sizeOf(alignment.older, run.olderStart, run.olderEnd)
  if (words === 0 && (isReplaced(before, after) || isReplaced(after, before))) return letters < OBJECT
  const [one, other] = [largerOf(before), largerOf(after)]
  if (isJoint(alignment, run) && one.letters > 0 && other.letters > 0) return true
  return one.words >= LARGE && other.words >= LARGE && letters * 2 <= Math.min(one.letters, other.letters)
}

/** True where words were only removed on one side of a mark, and only added on the other. */
function isReplaced({ removed, added }: ChangedPart, other: ChangedPart): boolean {
  return removed.letters > 0 && added.letters === 0 && other.removed.letters === 0 && other.added.letters > 0
}

function largerOf({ removed, added }: ChangedPart): Size {
  return { words: Math.max(removed.words, added.words), letters: Math.max(removed.letters, added.letters) }
}

/** True for what begins or ends a line, or more, in both texts. */
function hasLineBreak({ older, newer }: Alignment, { olderStart, olderEnd, newerStart }: MatchedRun): boolean {
  for (let index = olderStart; index <= olderEnd; index += 1) {
    const [one, other] = [older.spaces[index], newer.spaces[newerStart + index - olderStart]]
    if (one?.includes('\n') && other?.includes('\n')) return true
  }
  return false
}

const JOINTS = /^[-‐‑–/.:,_@+&'’]$/u

/** True for a mark inside of what reads as one word: both sides of a hyphen, the parts of a date. */
function isJoint({ older, newer }: Alignment, { olderStart, olderEnd, newerStart }: MatchedRun): boolean {
  if (olderEnd - olderStart !== 1 || !JOINTS.test(older.words[olderStart]?.text ?? '')) return false
  const around = [
    older.spaces[olderStart],
    older.spaces[olderEnd],
    newer.spaces[newerStart],
    newer.spaces[newerStart + 1],
  ]
  return around.every((space) => space === '')
}
