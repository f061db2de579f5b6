import { cutCommonBlocks, MOST_CHARACTERS } from './common-blocks.ts'
import { richWordsOf } from './rich-words.ts'
import { haveSameWords } from './same-words.ts'

/**
 * True when two sanitised rich texts are the same to a reader and to search engines (§2.5), so that `compareRichText`
 * shows nothing: they may differ in the order and spelling of attributes, in entities, in usual spaces that HTML joins,
 * in `b` or `strong` and the like, in how inline elements are nested, and in the formatting of spaces.
 */
export function isSameRichText(older: string, newer: string): boolean {
  if (older === newer) return true
  const rest = cutCommonBlocks(older, newer)
  if (rest.older.length + rest.newer.length > MOST_CHARACTERS) return false
  return haveSameWords(richWordsOf(rest.older), richWordsOf(rest.newer))
}
