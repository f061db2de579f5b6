import type { DiffPart } from '../text-diff/diff-part.ts'
import { align, seenRuns } from '../text-diff/diff-words.ts'
import { joinParts, partsOf } from '../text-diff/text-diff.ts'
import type { Alignment } from '../text-diff/words.ts'
import { plainText } from '../values/html-text.ts'
import { cutCommonBlocks, MOST_CHARACTERS } from './common-blocks.ts'
import { bareChange, oneLine, type PlacedChange } from './describe-change.ts'
import type { FormatChange } from './format-change.ts'
import { imageChanges } from './image-changes.ts'
import { linkChanges } from './link-changes.ts'
import { objectChanges } from './object-changes.ts'
import type { RichWord } from './rich-word.ts'
import { richWordsOf } from './rich-words.ts'
import { haveSameWords } from './same-words.ts'
import { traitChanges } from './trait-changes.ts'
import { unalignedChanges } from './unaligned-changes.ts'

/** What has changed between two rich texts (§2.5): words and blocks in `diff`, the rest in `formatChanges`. */
export interface RichTextChanges {
  /** Null when the texts differ too much to be compared by words. */
  readonly diff: readonly DiffPart[] | null
  readonly formatChanges: readonly FormatChange[]
}

/**
 * Compares two sanitised rich texts (§2.5). Words that became bold, that are in another kind of block or beside a new
 * line break are removed and added again in `diff`, which joins to the plain texts.
 */
export function compareRichText(older: string, newer: string): RichTextChanges {
  const { start, end, ...rest } = cutCommonBlocks(older, newer)
  const changes = compareAll(rest.older, rest.newer)
  if (changes.diff === null || (start === '' && end === '')) return changes
  const diff = betweenSame(plainText(start), changes.diff, plainText(end))
  return diff ? { ...changes, diff } : compareAll(older, newer)
}

/** A diff with what is the same before and after it; null where that would not stand on lines of its own. */
function betweenSame(start: string, diff: readonly DiffPart[], end: string): DiffPart[] | null {
  if ((start !== '' && diff.at(0)?.change !== 'same') || (end !== '' && diff.at(-1)?.change !== 'same')) return null
  const [before, after] = [start === '' ? '' : `${start}\n`, end === '' ? '' : `\n${end}`]
  return joinParts([{ text: before, change: 'same' }, ...diff, { text: after, change: 'same' }])
}

function compareAll(older: string, newer: string): RichTextChanges {
  if (older.length + newer.length > MOST_CHARACTERS) return { diff: null, formatChanges: [] }
  const [before, after] = [richWordsOf(older), richWordsOf(newer)]
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
  const placed: PlacedChange[] = [
    ...traitChanges(alignment),
    ...linkChanges(alignment),
    ...imageChanges(alignment),
    ...objectChanges(alignment),
  ]
  return placed.toSorted((one, other) => one.index - other.index).map(({ found }) => found)
}
