import { type Alignment, isPunctuation, isSpace, type Side, unmatch, type Word } from './words.ts'

/**
 * Takes apart what reads differently although its words are the same (§2.5): words in another format, and the words
 * beside a space that differs, which nobody could see alone.
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

/** Where two neighbouring words are matched with neighbouring words, but what is between them differs. */
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
export function matchesWithSpaces(alignment: Alignment, older: readonly Word[], newer: readonly Word[]): Int32Array {
  const matches = new Int32Array(older.length).fill(-1)
  let [olderStart, newerStart] = [0, 0]
  const matchGap = (olderEnd: number, newerEnd: number) => {
    let length = Math.min(olderEnd - olderStart, newerEnd - newerStart)
    for (; length > 0 && isSameSpace(older[olderStart], newer[newerStart]); length -= 1) {
      matches[olderStart] = newerStart
      ;[olderStart, newerStart] = [olderStart + 1, newerStart + 1]
    }
    for (let back = 1; back <= length && isSameSpace(older[olderEnd - back], newer[newerEnd - back]); back += 1)
      matches[olderEnd - back] = newerEnd - back
  }
  for (const [index, match] of alignment.toNewer.entries()) {
    if (match < 0) continue
    const [olderAt = 0, newerAt = 0] = [alignment.older.indexes[index], alignment.newer.indexes[match]]
    matchGap(olderAt, newerAt)
    matches[olderAt] = newerAt
    ;[olderStart, newerStart] = [olderAt + 1, newerAt + 1]
  }
  matchGap(older.length, newer.length)
  return matches
}

function isSameSpace(older: Word | undefined, newer: Word | undefined): boolean {
  if (!older || !newer || !isSpace(older)) return false
  return older.text === newer.text && older.format === newer.format && older.object === newer.object
}
