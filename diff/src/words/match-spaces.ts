import type { Region } from './shortest-edit.ts'
import { type Alignment, isPunctuation, isSpace, type Side, unmatch, type Word } from './words.ts'

/**
 * Takes apart what reads differently although its words are the same (§2.5): words in another format, and the words
 * next to a space that differs, which nobody could see alone.
 */
export function unmatchFormats(alignment: Alignment): void {
  const { older, newer, toNewer } = alignment
  for (const [index, match] of toNewer.entries())
    if (match >= 0 && older.words[index]?.format !== newer.words[match]?.format) unmatch(alignment, index)
  for (const index of changedSpaces(alignment)) {
    for (let left = index - 1; unmatchAt(alignment, left) && continues(older, left, left); ) left -= 1
    for (let right = index; unmatchAt(alignment, right) && continues(older, right, right + 1); ) right += 1
  }
}

/** Finds neighbouring words matched with neighbouring words whose space differs. */
function changedSpaces({ older, newer, toNewer }: Alignment): number[] {
  const changed: number[] = []
  for (let index = 0; index <= older.words.length; index += 1) {
    const before = index === 0 ? -1 : toNewer[index - 1]
    const after = index === older.words.length ? newer.words.length : toNewer[index]
    const isBetweenMatches = after !== undefined && after >= 0 && before === after - 1 && (index === 0 || before >= 0)
    if (isBetweenMatches && older.spaces[index] !== newer.spaces[after]) changed.push(index)
  }
  return changed
}

function unmatchAt(alignment: Alignment, index: number): boolean {
  const isMatched = (alignment.toNewer[index] ?? -1) >= 0
  unmatch(alignment, index)
  return isMatched
}

/** True for a mark that is joined to the word beyond a boundary: the change is shown with that word. */
function continues({ words, spaces }: Side, index: number, boundary: number): boolean {
  const word = words[index]
  return word !== undefined && isPunctuation(word) && spaces[boundary] === ''
}

/**
 * All matches, spaces between words included: for each word and space of the older text the index of the newer one, or
 * -1. A change takes the spaces with it that would not be there without it.
 */
export function matchesWithSpaces({ older, newer, toNewer }: Alignment): Int32Array {
  const matches = new Int32Array(older.all.length).fill(-1)
  let [olderStart, newerStart] = [0, 0]
  for (const [index, match] of toNewer.entries()) {
    if (match < 0) continue
    const [olderEnd = 0, newerEnd = 0] = [older.indexes[index], newer.indexes[match]]
    matchSpaces({ older: older.all, newer: newer.all, olderStart, olderEnd, newerStart, newerEnd }, matches)
    matches[olderEnd] = newerEnd
    ;[olderStart, newerStart] = [olderEnd + 1, newerEnd + 1]
  }
  const [olderEnd, newerEnd] = [older.all.length, newer.all.length]
  matchSpaces({ older: older.all, newer: newer.all, olderStart, olderEnd, newerStart, newerEnd }, matches)
  return matches
}

/** The words and spaces between two matched words on either side. */
interface Gap extends Region {
  readonly older: readonly Word[]
  readonly newer: readonly Word[]
}

/** Matches the spaces at the beginning and the end of a change, and its line breaks where it has as many as before. */
function matchSpaces(gap: Gap, matches: Int32Array): void {
  const { older, newer } = gap
  let { olderStart, olderEnd, newerStart, newerEnd } = gap
  const isAnyFormat = !hasText(older, olderStart, olderEnd) && !hasText(newer, newerStart, newerEnd)
  const match = (olderAt: number, newerAt: number) => {
    if (olderStart === olderEnd || newerStart === newerEnd) return false
    if (!isSameSpace(older[olderAt], newer[newerAt], isAnyFormat)) return false
    matches[olderAt] = newerAt
    return true
  }
  for (; match(olderStart, newerStart); newerStart += 1) olderStart += 1
  for (; match(olderEnd - 1, newerEnd - 1); newerEnd -= 1) olderEnd -= 1
  const olderBreaks = lineBreaks(older, olderStart, olderEnd)
  const newerBreaks = lineBreaks(newer, newerStart, newerEnd)
  if (olderBreaks.length !== newerBreaks.length) return
  for (const [order, at] of olderBreaks.entries()) match(at, newerBreaks[order] ?? 0)
}

function lineBreaks(words: readonly Word[], start: number, end: number): number[] {
  const breaks: number[] = []
  for (let index = start; index < end; index += 1) {
    const word = words[index]
    if (word?.text.includes('\n') && isSpace(word)) breaks.push(index)
  }
  return breaks
}

/** True when there are words, not only objects, which are reported in another way. */
function hasText(words: readonly Word[], start: number, end: number): boolean {
  for (let index = start; index < end; index += 1) if (words[index]?.text.trim()) return true
  return false
}

function isSameSpace(older: Word | undefined, newer: Word | undefined, isAnyFormat: boolean): boolean {
  if (!older || !newer || !isSpace(older) || !isSpace(newer)) return false
  return older.text === newer.text && (isAnyFormat || older.format === newer.format)
}
