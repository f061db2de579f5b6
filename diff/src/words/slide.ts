import { type Alignment, isPunctuation, type Side } from './words.ts'

/** How far a change is moved at most. */
const FARTHEST = 50
/** A word that keeps its format is worth more than any place. */
const FORMAT = 100

/** An alignment as seen from the side on which words were added, or removed. */
interface View {
  readonly side: Side
  readonly other: Side
  readonly toOther: Int32Array
  readonly toSide: Int32Array
}

/**
 * Moves what was only added, or only removed, to where a reader sees it: to the beginning of a line, a sentence, a
 * phrase (§2.5). It can be moved past a word that equals the one at its other end.
 */
export function slideChanges({ older, newer, toNewer, toOlder }: Alignment): void {
  slideOn({ side: newer, other: older, toOther: toOlder, toSide: toNewer })
  slideOn({ side: older, other: newer, toOther: toNewer, toSide: toOlder })
}

function slideOn(view: View): void {
  const { length } = view.side.words
  for (let start = 0, end = 0; start < length; start = end + 1) {
    for (end = start; end < length && view.toOther[end] === -1; ) end += 1
    if (end > start && isOnlyHere(view, start, end)) end = slide(view, start, end)
  }
}

/** True when nothing stands on the other side in place of these words. */
function isOnlyHere({ side, other, toOther }: View, start: number, end: number): boolean {
  const before = start === 0 ? -1 : (toOther[start - 1] ?? -1)
  const after = end === side.words.length ? other.words.length : (toOther[end] ?? -1)
  return before + 1 === after
}

/** Moves words to the best place; of equally good ones to the first. Returns where they end then. */
function slide(view: View, start: number, end: number): number {
  let [from, to] = [start, end]
  while (start - from < FARTHEST && swap(view, from - 1, to - 1) !== null) [from, to] = [from - 1, to - 1]
  let best = { from, worth: worthOf(view.side, from, to) }
  let gain = 0
  while (from - start < FARTHEST) {
    const gained = swap(view, to, from)
    if (gained === null) break
    gain += gained
    ;[from, to] = [from + 1, to + 1]
    const worth = worthOf(view.side, from, to) + gain * FORMAT
    if (worth > best.worth) best = { from, worth }
  }
  for (; from > best.from; [from, to] = [from - 1, to - 1]) swap(view, from - 1, to - 1)
  return to
}

/**
 * Gives the match of one word to another of the same text. Returns how many more formats agree than before; null when they
 * cannot be swapped.
 */
function swap({ side, other, toOther, toSide }: View, matched: number, unmatched: number): number | null {
  const match = toOther[matched] ?? -1
  const [older, newer] = [side.words[matched], side.words[unmatched]]
  if (match < 0 || !older || older.text !== newer?.text || older.object !== newer.object) return null
  toOther[matched] = -1
  toOther[unmatched] = match
  toSide[match] = unmatched
  const format = other.words[match]?.format
  return Number(newer.format === format) - Number(older.format === format)
}

function worthOf(side: Side, start: number, end: number): number {
  return boundaryAt(side, start) + boundaryAt(side, end)
}

const SENTENCE_END = /^[.!?…。！？؟۔।]+$/u
const PHRASE_END = /^[,;:،؛、，；：)\]}”»’]$/u

/** Rates a cut of a text before a word: from 0, inside a unit, to 6, between units. */
function boundaryAt({ words, spaces }: Side, index: number): number {
  const [before, after] = [words[index - 1], words[index]]
  if (!before || !after) return 6
  const space = spaces[index] ?? ''
  if (space.includes('\n')) return 5
  if (SENTENCE_END.test(before.text)) return 4
  if (PHRASE_END.test(before.text)) return 3
  if (space !== '') return 2
  return isPunctuation(before) || isPunctuation(after) ? 0 : 1
}
