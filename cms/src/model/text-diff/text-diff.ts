import type { DiffPart } from './diff-part.ts'
import type { TokenRun } from './diff-tokens.ts'
import { diffWords } from './diff-words.ts'
import { splitWords } from './split-words.ts'
import type { Word } from './words.ts'

/** What has changed between two texts, in words (§2.5); null when they differ too much to be compared by words. */
export function diffTexts(older: string, newer: string): readonly DiffPart[] | null {
  const [olderWords, newerWords] = [wordsOf(older), wordsOf(newer)]
  const runs = diffWords(olderWords, newerWords)
  return runs && partsOf(runs, olderWords, newerWords)
}

function wordsOf(text: string): Word[] {
  return splitWords(text).map((text) => ({ text }))
}

/** Runs of words as parts of a diff. */
export function partsOf(runs: readonly TokenRun[], older: readonly Word[], newer: readonly Word[]): DiffPart[] {
  const parts: { text: string; change: DiffPart['change'] }[] = []
  for (const { change, olderStart, olderEnd, newerStart, newerEnd } of runs) {
    const words = change === 'added' ? newer.slice(newerStart, newerEnd) : older.slice(olderStart, olderEnd)
    const text = words.map((word) => word.text).join('')
    const last = parts.at(-1)
    if (text === '') continue
    if (last?.change === change) last.text += text
    else parts.push({ text, change })
  }
  return parts
}
