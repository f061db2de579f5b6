import { type Alignment, isPunctuation, type Side, unmatch, type Word } from './words.ts'

/** How much is between two runs of matched words, or in one. */
interface Size {
  readonly words: number
  /** In letters, where those of scripts that say more with each count twice. */
  readonly letters: number
}

/** Neighbouring words that are matched with neighbouring words, and what was changed before them. */
interface MatchedRun {
  readonly olderStart: number
  readonly olderEnd: number
  readonly newerStart: number
  readonly newerEnd: number
  readonly before: Size
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
      change = sum(last.before, sizeOf(alignment.older, last.olderStart, last.olderEnd), change)
      runs.pop()
    }
    runs.push({ ...run, before: change })
    previous = run
  }
}

/** All runs of matched words, and an empty one at the end. */
function* matchedRuns({ older, newer, toNewer }: Alignment): Generator<Omit<MatchedRun, 'before'>> {
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
  { olderEnd, newerEnd }: { readonly olderEnd: number; readonly newerEnd: number },
  next: Omit<MatchedRun, 'before'>,
): Size {
  const removed = sizeOf(older, olderEnd, next.olderStart)
  const added = sizeOf(newer, newerEnd, next.newerStart)
  return { words: Math.max(removed.words, added.words), letters: Math.max(removed.letters, added.letters) }
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
    if (index > start && spaces[index]?.includes('\n')) letters += LINE_BREAK
  }
  return { words: count, letters }
}

/** A line break is worth as much as a long word. */
const LINE_BREAK = 12
/** More than any change. */
const OBJECT = 1_000_000_000
const DENSE = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Khmer}\p{sc=Lao}\p{sc=Myanmar}]/u

function lettersOf(word: Word): number {
  if (word.object !== undefined) return OBJECT
  if (isPunctuation(word)) return 1
  return DENSE.test(word.text) ? word.text.length * 2 : word.text.length
}

/** A change of so few words leaves what is beside it as it is. */
const LARGE = 2

function isByChance(alignment: Alignment, run: MatchedRun, after: Size): boolean {
  const { before } = run
  if (isJoint(alignment, run) && before.letters > 0 && after.letters > 0) return true
  if (before.words < LARGE || after.words < LARGE) return false
  return lettersBetween(alignment.older, run) * 2 <= Math.min(before.letters, after.letters)
}

/** What a run holds, and the line breaks around it. */
function lettersBetween(side: Side, { olderStart, olderEnd }: MatchedRun): number {
  const breaks = [olderStart, olderEnd].filter((index) => side.spaces[index]?.includes('\n')).length
  return sizeOf(side, olderStart, olderEnd).letters + breaks * LINE_BREAK
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
