import { diffTokens } from './diff-tokens.ts'
import { splitWords } from './split-words.ts'

/** A part of a word diff (§2.5): `same` and `removed` join to the older text, `same` and `added` to the newer one. */
export interface DiffPart {
  readonly text: string
  readonly change: 'same' | 'added' | 'removed'
}

/** What has changed between two texts, in words (§2.5); null when they differ too much to be compared by words. */
export function diffTexts(older: string, newer: string): readonly DiffPart[] | null {
  const olderWords = splitWords(older)
  const newerWords = splitWords(newer)
  const runs = diffTokens(olderWords, newerWords)
  if (!runs) return null
  return runs.map(({ change, olderStart, olderEnd, newerStart, newerEnd }) => {
    const words = change === 'added' ? newerWords.slice(newerStart, newerEnd) : olderWords.slice(olderStart, olderEnd)
    return { text: words.join(''), change }
  })
}
