import { align, type DiffPart, joinParts, partsOf, seenRuns } from '../words/text-diff.ts'
import type { Alignment } from '../words/words.ts'
import { cutCommonBlocks } from './common-blocks.ts'
import { bareChange, type FormatChange, oneLine } from './format-change.ts'
import { type HtmlReader, plainText } from './html.ts'
import { describedImage, imageChanges, objectChanges } from './object-changes.ts'
import { haveSameTraits, type RichWord } from './rich-word.ts'
import { richWordsOf } from './rich-words.ts'
import { linkChanges, traitChanges } from './trait-changes.ts'
import { unalignedChanges } from './unaligned-changes.ts'

/** The changes between two rich texts (§2.5): words and blocks in `diff`, the rest in `formatChanges`. */
export interface RichTextChanges {
  /** Null when the texts differ too much to be compared by words. */
  readonly diff: readonly DiffPart[] | null
  readonly formatChanges: readonly FormatChange[]
}

/** Characters of two rich texts that are compared by words at most, without the blocks that they have in common. */
const MOST_CHARACTERS = 160_000

/**
 * Compares two sanitised rich texts (§2.5). Words that became bold, that are in another kind of block or next to a new
 * line break are removed and added again in `diff`, which joins to the plain texts.
 */
export function compareRichText(older: string, newer: string, read: HtmlReader): RichTextChanges {
  const { start, end, ...rest } = cutCommonBlocks(older, newer)
  const changes = compareAll(rest.older, rest.newer, read)
  if (changes.diff === null || (start === '' && end === '')) return changes
  const diff = betweenSame(plainText(start, read), changes.diff, plainText(end, read))
  return diff ? { ...changes, diff } : compareAll(older, newer, read)
}

/** A diff with the same text before and after it; null where that would not stand on lines of its own. */
function betweenSame(start: string, diff: readonly DiffPart[], end: string): DiffPart[] | null {
  if ((start !== '' && diff.at(0)?.change !== 'same') || (end !== '' && diff.at(-1)?.change !== 'same')) return null
  const [before, after] = [start === '' ? '' : `${start}\n`, end === '' ? '' : `\n${end}`]
  return joinParts([{ text: before, change: 'same' }, ...diff, { text: after, change: 'same' }])
}

function compareAll(older: string, newer: string, read: HtmlReader): RichTextChanges {
  if (older.length + newer.length > MOST_CHARACTERS) return { diff: null, formatChanges: [] }
  const [before, after] = [richWordsOf(older, read), richWordsOf(newer, read)]
  const alignment = align(before, after)
  if (!alignment) return { diff: null, formatChanges: unalignedChanges(before, after) }
  const formatChanges = alignedChanges(alignment)
  const diff = joinParts(partsOf(seenRuns(alignment), before, after))
  const isUnseen = formatChanges.length === 0 && diff.every(({ change }) => change === 'same')
  if (!isUnseen || haveSameWords(before, after)) return { diff, formatChanges }
  return { diff, formatChanges: [bareChange('structure', 'modified', oneLine(after))] }
}

/** In the order of the newer text. */
function alignedChanges(alignment: Alignment<RichWord>): FormatChange[] {
  const changes = [
    ...traitChanges(alignment),
    ...linkChanges(alignment),
    ...imageChanges(alignment),
    ...objectChanges(alignment),
  ]
  return changes.toSorted((one, other) => one.index - other.index).map(({ change }) => change)
}

/**
 * True when two sanitised rich texts are the same to a reader and to search engines (§2.5), so that `compareRichText`
 * reports nothing: they may differ in the order and spelling of attributes, in entities, in usual spaces that HTML
 * joins, in `b` or `strong` and the like, in how inline elements are nested, and in the formatting of spaces.
 */
export function isSameRichText(older: string, newer: string, read: HtmlReader): boolean {
  if (older === newer) return true
  const rest = cutCommonBlocks(older, newer)
  if (rest.older.length + rest.newer.length > MOST_CHARACTERS) return false
  return haveSameWords(richWordsOf(rest.older, read), richWordsOf(rest.newer, read))
}

function haveSameWords(older: readonly RichWord[], newer: readonly RichWord[]): boolean {
  if (older.length !== newer.length) return false
  return older.every((word, index) => {
    const other = newer[index]
    return other !== undefined && isSameWord(word, other)
  })
}

/** True when two words read and look alike. */
function isSameWord(one: RichWord, other: RichWord): boolean {
  if (one.text !== other.text || one.format !== other.format || one.object !== other.object) return false
  if (one.richObject?.tag !== 'img' || !other.richObject) return haveSameTraits(one, other)
  return JSON.stringify(describedImage(one.richObject)) === JSON.stringify(describedImage(other.richObject))
}
