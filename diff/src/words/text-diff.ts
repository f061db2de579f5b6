import { cleanUp } from './clean-up.ts'
import { cutCommonEnds } from './common-ends.ts'
import { matchTokens, runsOf, type TokenRun } from './diff-tokens.ts'
import { matchesWithSpaces, unmatchFormats } from './match-spaces.ts'
import { slideChanges } from './slide.ts'
import { type Alignment, sideOf, splitWords, type Word } from './words.ts'

/** A part of a word diff (§2.5): `same` and `removed` join to the older text, `same` and `added` to the newer one. */
export interface DiffPart {
  readonly text: string
  readonly change: 'same' | 'added' | 'removed'
}

/** Characters of both texts at most, without what they begin and end with alike. */
const MOST_CHARACTERS = 400_000

/** Compares two texts by words (§2.5); null when they differ too much to be compared by words. */
export function diffTexts(older: string, newer: string): readonly DiffPart[] | null {
  const { start, end, ...rest } = cutCommonEnds(older, newer)
  if (rest.older.length + rest.newer.length > MOST_CHARACTERS) return null
  const [olderWords, newerWords] = [wordsOf(rest.older), wordsOf(rest.newer)]
  const runs = diffWords(olderWords, newerWords)
  if (!runs) return null
  const parts = partsOf(runs, olderWords, newerWords)
  return joinParts([{ text: start, change: 'same' }, ...parts, { text: end, change: 'same' }])
}

function wordsOf(text: string): Word[] {
  return splitWords(text).map((text) => ({ text }))
}

/**
 * Which words and spaces of two texts a reader would call the same (§2.5); null when they differ by more than about
 * 5,000 words that both have. Words are matched by their text; those whose format differs are removed and added.
 */
export function diffWords(older: readonly Word[], newer: readonly Word[]): readonly TokenRun[] | null {
  const alignment = align(older, newer)
  return alignment && seenRuns(alignment)
}

/** The runs of two texts whose words are matched; takes matches apart that a reader would not see. */
export function seenRuns(alignment: Alignment): readonly TokenRun[] {
  unmatchFormats(alignment)
  return runsOf(matchesWithSpaces(alignment), alignment.newer.all.length)
}

/** Which words stand for each other, whatever their format; null when the texts differ too much. */
export function align<Kind extends Word>(older: readonly Kind[], newer: readonly Kind[]): Alignment<Kind> | null {
  const sides = { older: sideOf(older), newer: sideOf(newer) }
  const toNewer = matchTokens(sides.older.words.map(tokenOf), sides.newer.words.map(tokenOf))
  if (!toNewer) return null
  const toOlder = new Int32Array(sides.newer.words.length).fill(-1)
  for (const [index, match] of toNewer.entries()) if (match >= 0) toOlder[match] = index
  const alignment = { ...sides, toNewer, toOlder }
  cleanUp(alignment)
  slideChanges(alignment)
  return alignment
}

function tokenOf({ text, object }: Word): string {
  return object === undefined ? text : `\uFFFC${object}`
}

/** Runs of words as parts of a diff. */
export function partsOf(runs: readonly TokenRun[], older: readonly Word[], newer: readonly Word[]): DiffPart[] {
  return runs.map(({ change, olderStart, olderEnd, newerStart, newerEnd }) => {
    const words = change === 'added' ? newer.slice(newerStart, newerEnd) : older.slice(olderStart, olderEnd)
    return { text: words.map((word) => word.text).join(''), change }
  })
}

/** Parts without empty ones, neighbours of one change joined. */
export function joinParts(parts: readonly DiffPart[]): DiffPart[] {
  const joined: { text: string; change: DiffPart['change'] }[] = []
  for (const { text, change } of parts) {
    const last = joined.at(-1)
    if (text === '') continue
    if (last?.change === change) last.text += text
    else joined.push({ text, change })
  }
  return joined
}
