import {
  compareFormatsInSteps,
  compareRichTextInSteps,
  type DiffPart,
  diffTextsInSteps,
  type FormatChange,
  plainTextInSteps,
  type Steps,
} from 'quire-diff'
import type { Json } from '../../base/json.ts'
import { cutText } from '../../base/text.ts'
import type { Segment } from '../field-type/value-terms.ts'
import { sendable } from '../values/aside.ts'
import { readHtmlInSteps, withoutTags } from '../values/html-text.ts'
import { targetsOf, textOf } from '../values/walk.ts'
import type { Ai, Change, ChangedImage, ChangeRow, ChangeType, ItemStep, Step } from './content-change.ts'
import { formatChangeRow, type Names } from './format-change-row.ts'

/** The longest title of an item, in characters. */
const LONGEST_TITLE = 200

/** How many characters are shown of a text that is not compared. */
const LONGEST_TEXT = 10_000
/** In how much of its markup that beginning is looked for. */
const LONGEST_MARKUP = 10 * LONGEST_TEXT

/** The texts of a change that are compared by words, or shown as added or deleted. */
export interface ComparedTexts {
  readonly kind: 'leaf' | 'richText'
  readonly type: ChangeType
  /** Of rich texts as HTML. */
  readonly older: string
  readonly newer: string
}

/** The result of comparing the texts of a change. */
export interface ComparedWords {
  readonly oldText: string
  readonly newText: string
  /** Absent where the texts differ too much to be compared by words. */
  readonly diff?: readonly DiffPart[]
  /** Of rich texts. */
  readonly formatChanges?: readonly FormatChange[]
}

/** Returns the texts of a change that are compared by words; null for changes of other kinds. */
export function comparedTexts(change: Change, names: Names): ComparedTexts | null {
  const { kind, type, old, new: now } = change
  if (kind === 'richText') return { kind, type, older: textIn(old), newer: textIn(now) }
  if (kind !== 'leaf') return null
  return { kind, type, older: textOfSide(change, 'older', names), newer: textOfSide(change, 'newer', names) }
}

/** Compares the texts of a change by words (§2.5), in steps. */
export function* compareByWords({ kind, type, older, newer }: ComparedTexts): Steps<ComparedWords> {
  if (kind === 'leaf') {
    const texts = { oldText: older, newText: newer }
    if (older === '' && newer === '') return texts
    return withDiff(texts, type === 'modified' ? yield* diffTextsInSteps(older, newer) : wholeDiff(texts))
  }
  const texts = yield* plainTexts(older, newer)
  if (type !== 'modified') return { ...withDiff(texts, wholeDiff(texts)), formatChanges: [] }
  const { diff, formatChanges } = yield* compareRichTextInSteps(older, newer, readHtmlInSteps)
  return { ...withDiff(texts, diff), formatChanges }
}

/**
 * Compares only the formatting of the texts of a change, in steps, where words are not compared: it takes less than
 * that, and time in proportion to the texts, which are cut to 10,000 characters.
 */
export function* compareByFormat({ kind, type, older, newer }: ComparedTexts): Steps<ComparedWords> {
  if (kind === 'leaf') return shortened({ oldText: older, newText: newer })
  const texts = shortened(yield* plainTexts(older, newer))
  if (type !== 'modified') return { ...texts, formatChanges: [] }
  const { formatChanges } = yield* compareFormatsInSteps(older, newer, readHtmlInSteps)
  return { ...texts, formatChanges }
}

/** Returns the beginnings of texts whose comparison is too much work; of rich texts without markup. */
export function notCompared({ kind, older, newer }: ComparedTexts): ComparedWords {
  if (kind === 'leaf') return shortened({ oldText: older, newText: newer })
  const [oldText, newText] = [older, newer].map((html) => withoutTags(html.slice(0, LONGEST_MARKUP)))
  return { ...shortened({ oldText: oldText ?? '', newText: newText ?? '' }), formatChanges: [] }
}

function* plainTexts(older: string, newer: string): Steps<Texts> {
  return {
    oldText: yield* plainTextInSteps(older, readHtmlInSteps),
    newText: yield* plainTextInSteps(newer, readHtmlInSteps),
  }
}

function shortened({ oldText, newText }: Texts): Texts {
  return { oldText: cutText(oldText, LONGEST_TEXT), newText: cutText(newText, LONGEST_TEXT) }
}

function withDiff(texts: Texts, diff: readonly DiffPart[] | null): ComparedWords {
  return { ...texts, ...(diff !== null && { diff }) }
}

/**
 * Returns a change as it is answered (§2.5), with the texts of everything it names. `words`: what comparing its texts has
 * found; null for changes of other kinds.
 */
export function rowOf(change: Change, names: Names, ai: Ai, words: ComparedWords | null): ChangeRow {
  const { type, kind, fieldType } = change
  const { diff, formatChanges, ...texts } = words ?? {
    oldText: textOfSide(change, 'older', names),
    newText: textOfSide(change, 'newer', names),
  }
  return {
    path: change.segments.map((step) => segmentOf(step, names)),
    type,
    kind,
    fieldType,
    ...(change.old !== undefined && { old: sendable(change.old) }),
    ...(change.new !== undefined && { new: sendable(change.new) }),
    ...texts,
    ...(diff && { diff }),
    ...(formatChanges && { formatChanges: formatChanges.map((one) => formatChangeRow(one, names)) }),
    ...(kind === 'relationship' && imagesOf(change, names)),
    ai,
  }
}

interface Texts {
  readonly oldText: string
  readonly newText: string
}

function segmentOf({ name, label, item, isDocument }: Step, names: Names): Segment {
  if (isDocument) return { name, label: names.documentTitle(name) }
  if (item === undefined) return { name, label: label ?? '' }
  const { ordinal, widgetType } = item
  const title = titleOf(item, names)
  if (widgetType === undefined) return { name, label: title || `#${ordinal}`, ordinal }
  return { name, label: label ?? '', ...(title !== '' && { title }), ordinal, widgetType }
}

/** Many changes may lie in one item: its title is made once for all of an answer. */
const titles = new WeakMap<Names, WeakMap<ItemStep, string>>()

function titleOf(item: ItemStep, names: Names): string {
  const known = titles.get(names) ?? new WeakMap<ItemStep, string>()
  titles.set(names, known)
  const title = known.get(item) ?? madeTitle(item, names)
  known.set(item, title)
  return title
}

/** The text of the first field that has any, of those that may name an item, on one line. */
function madeTitle({ titleFields, holder }: ItemStep, names: Names): string {
  for (const field of titleFields) {
    const text = textOf(field, holder, names).slice(0, LONGEST_TITLE * 10)
    const title = cutText(text.replace(/\s+/g, ' ').trim(), LONGEST_TITLE)
    if (title !== '') return title
  }
  return ''
}

function nameOf(step: Step, names: Names): string {
  const { title, label } = segmentOf(step, names)
  return title ?? label
}

/** The value of one side as a person would read it; empty where it has none. */
function textOfSide(change: Change, side: 'older' | 'newer', names: Names): string {
  const { kind, field, order, segments, type } = change
  const given = side === 'older' ? change.oldText : change.newText
  if (given !== undefined) return given
  if (type === (side === 'older' ? 'added' : 'deleted')) return ''
  if (order) return order[side === 'older' ? 'old' : 'new'].map((step) => nameOf(step, names)).join(', ')
  const holder = change[side]
  const last = segments.at(-1)
  if (kind === 'widget' || kind === 'arrayItem') return last ? nameOf(last, names) : ''
  if (field === null || holder === null) return ''
  return kind === 'object' ? field.type.toText(holder, field.options, names) : textOf(field, holder, names)
}

/** Marks the old text as removed and the new one as added, without comparing words. */
function wholeDiff({ oldText, newText }: Texts): DiffPart[] {
  const parts = [
    { text: oldText, change: 'removed' as const },
    { text: newText, change: 'added' as const },
  ]
  return parts.filter(({ text }) => text !== '')
}

function textIn(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}

/** The images on either side, as far as the caller may see them. */
function imagesOf({ field, old, new: now }: Change, names: Names): Pick<ChangeRow, 'images'> {
  const targets = field === null ? [] : targetsOf(field)
  if (!targets.includes(names.imageType)) return {}
  const [before, after] = [idsOf(old), idsOf(now)]
  if (targets.length > 1 && [...before, ...after].some((id) => names.image(id) === null)) return {}
  return {
    images: {
      old: shownImages(before, new Set(after), 'removed', names),
      new: shownImages(after, new Set(before), 'added', names),
    },
  }
}

function shownImages(
  ids: readonly string[],
  others: ReadonlySet<string>,
  change: 'added' | 'removed',
  names: Names,
): ChangedImage[] {
  return ids.flatMap((id) => {
    const image = names.image(id)
    return image === null ? [] : [{ ...image, change: others.has(id) ? 'same' : change }]
  })
}

function idsOf(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((id) => typeof id === 'string') : []
}
