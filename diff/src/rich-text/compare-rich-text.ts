import type { Region } from '../words/shortest-edit.ts'
import { finish, type Steps } from '../words/steps.ts'
import { align, type DiffPart, joinParts, partsOf, seenRuns } from '../words/text-diff.ts'
import type { Alignment } from '../words/words.ts'
import { cutCommonBlocks } from './common-blocks.ts'
import { bareChange, type FormatChange, oneLine } from './format-change.ts'
import { type HtmlReader, plainTextInSteps } from './html.ts'
import { describedImage, imageChanges, objectChanges } from './object-changes.ts'
import type { RichItem } from './read-items.ts'
import { type RichDifferences, richDifferencesOf } from './rich-pieces.ts'
import { haveSameTraits, type RichWord } from './rich-word.ts'
import { richWordsOf, textOfItem } from './rich-words.ts'
import { linkChanges, traitChanges } from './trait-changes.ts'
import { unalignedChanges } from './unaligned-changes.ts'

/** The changes between two rich texts (§2.5): words and blocks in `diff`, the rest in `formatChanges`. */
export interface RichTextChanges {
  /** Null when the texts differ too much to be compared by words. */
  readonly diff: readonly DiffPart[] | null
  /** Without a diff, kinds of blocks, bold and italic are among them. */
  readonly formatChanges: readonly FormatChange[]
}

/** Characters of two rich texts that differ at most, to be compared by words. */
const MOST_CHARACTERS = 160_000

/**
 * Compares two sanitised rich texts (§2.5). Words that became bold, that are in another kind of block or next to a new
 * line break are removed and added again in `diff`, which joins to the plain texts.
 */
export function compareRichText(older: string, newer: string, read: HtmlReader): RichTextChanges {
  return finish(compareRichTextInSteps(older, newer, read))
}

/** Compares two sanitised rich texts, as `compareRichText` does, in steps. */
export function* compareRichTextInSteps(older: string, newer: string, read: HtmlReader): Steps<RichTextChanges> {
  const { start, end, ...rest } = cutCommonBlocks(older, newer)
  yield
  const changes = yield* compareAll(rest.older, rest.newer, read)
  if (changes.diff === null || (start === '' && end === '')) return changes
  const [before, after] = [yield* plainTextInSteps(start, read), yield* plainTextInSteps(end, read)]
  const diff = betweenSame(before, changes.diff, after)
  return diff ? { ...changes, diff } : yield* compareAll(older, newer, read)
}

/**
 * Compares only the formatting of two sanitised rich texts, in steps: `formatChanges` as they are where the texts
 * differ too much to be compared by words. It takes time in proportion to the texts.
 */
export function* compareFormatsInSteps(older: string, newer: string, read: HtmlReader): Steps<RichTextChanges> {
  const rest = cutCommonBlocks(older, newer)
  yield
  return yield* withoutDiff(yield* richDifferencesOf(rest.older, rest.newer, read))
}

/** A diff with the same text before and after it; null where that would not stand on lines of its own. */
function betweenSame(start: string, diff: readonly DiffPart[], end: string): DiffPart[] | null {
  if ((start !== '' && diff.at(0)?.change !== 'same') || (end !== '' && diff.at(-1)?.change !== 'same')) return null
  const [before, after] = [start === '' ? '' : `${start}\n`, end === '' ? '' : `\n${end}`]
  return joinParts([{ text: before, change: 'same' }, ...diff, { text: after, change: 'same' }])
}

function* compareAll(older: string, newer: string, read: HtmlReader): Steps<RichTextChanges> {
  const differences = yield* richDifferencesOf(older, newer, read)
  if (differences.characters > MOST_CHARACTERS) return yield* withoutDiff(differences)
  const parts: DiffPart[] = []
  const formatChanges: FormatChange[] = []
  let index = 0
  for (const region of differences.regions) {
    const changes = yield* compareRegion(differences, region)
    if (changes.diff === null) return yield* withoutDiff(differences)
    parts.push(same(differences.older.slice(index, region.olderStart)), ...changes.diff)
    formatChanges.push(...changes.formatChanges)
    index = region.olderEnd
  }
  return { diff: joinParts([...parts, same(differences.older.slice(index))]), formatChanges }
}

function same(items: readonly RichItem[]): DiffPart {
  return { text: items.map(textOfItem).join(''), change: 'same' }
}

function* compareRegion(differences: RichDifferences, region: Region): Steps<RichTextChanges> {
  const [before, after] = yield* wordsIn(differences, region)
  const alignment = yield* align(before, after)
  if (!alignment) return { diff: null, formatChanges: [] }
  const formatChanges = alignedChanges(alignment)
  yield
  const diff = joinParts(partsOf(seenRuns(alignment), before, after))
  yield
  const isUnseen = formatChanges.length === 0 && diff.every(({ change }) => change === 'same')
  return { diff, formatChanges: isUnseen ? unseenChanges(before, after) : formatChanges }
}

function* wordsIn({ older, newer }: RichDifferences, region: Region): Steps<readonly [RichWord[], RichWord[]]> {
  return [
    yield* richWordsOf(older.slice(region.olderStart, region.olderEnd)),
    yield* richWordsOf(newer.slice(region.newerStart, region.newerEnd)),
  ]
}

/** The formatting of what differs; where nothing of it is to be named, that there is something. */
function* withoutDiff(differences: RichDifferences): Steps<RichTextChanges> {
  const [before, after]: [RichWord[], RichWord[]] = [[], []]
  for (const region of differences.regions) {
    const [older, newer] = yield* wordsIn(differences, region)
    for (const word of older) before.push(word)
    for (const word of newer) after.push(word)
  }
  const formatChanges = yield* unalignedChanges(before, after)
  const isUnseen = formatChanges.length === 0 && before.map(textOf).join('') === after.map(textOf).join('')
  return { diff: null, formatChanges: isUnseen ? unseenChanges(before, after) : formatChanges }
}

const textOf = ({ text }: RichWord) => text

/** The change where neither words nor their formatting show one. */
function unseenChanges(before: readonly RichWord[], after: readonly RichWord[]): FormatChange[] {
  return haveSameWords(before, after) ? [] : [bareChange('structure', 'modified', oneLine(after))]
}

/** Lists the changes in the order of the newer text. */
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
  return finish(isSameRichTextInSteps(older, newer, read))
}

/** Says whether two rich texts are the same, as `isSameRichText` does, in steps. */
export function* isSameRichTextInSteps(older: string, newer: string, read: HtmlReader): Steps<boolean> {
  if (older === newer) return true
  const rest = cutCommonBlocks(older, newer)
  yield
  const differences = yield* richDifferencesOf(rest.older, rest.newer, read)
  if (differences.characters > MOST_CHARACTERS) return false
  for (const region of differences.regions) {
    if (!haveSameWords(...(yield* wordsIn(differences, region)))) return false
  }
  return true
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
