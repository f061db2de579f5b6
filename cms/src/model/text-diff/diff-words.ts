import { cleanUp } from './clean-up.ts'
import { matchTokens, runsOf, type TokenRun } from './diff-tokens.ts'
import { matchesWithSpaces, unmatchFormats } from './match-spaces.ts'
import { slideChanges } from './slide.ts'
import { type Alignment, sideOf, type Word } from './words.ts'

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
