import { cutCommonEnds } from './common-ends.ts'
import type { DiffPart } from './diff-part.ts'
import type { TokenRun } from './diff-tokens.ts'
import { diffWords } from './diff-words.ts'
import { splitWords } from './split-words.ts'
import type { Word } from './words.ts'

/** Characters of both texts at most, without what they begin and end with alike. */
const MOST_CHARACTERS = 400_000

/** What has changed between two texts, in words (§2.5); null when they differ too much to be compared by words. */
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
