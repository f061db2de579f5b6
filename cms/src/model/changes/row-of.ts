import { compareRichText, type DiffPart, diffTexts } from 'quire-diff'
import type { Json } from '../../base/json.ts'
import { cutText } from '../../base/text.ts'
import type { Segment } from '../field-type/segment.ts'
import { sendable } from '../values/aside.ts'
import { readHtml } from '../values/html-text.ts'
import { targetOf } from '../values/target.ts'
import { textOf } from '../values/walk.ts'
import type { Ai, Change, ChangedImage, ChangeRow, ItemStep, Step } from './content-change.ts'
import { formatChangeRow } from './format-change-row.ts'
import type { Names } from './row-names.ts'

/** The longest title of an item, in characters. */
const LONGEST_TITLE = 200

/** How many characters are shown of a text that is not compared. */
const LONGEST_TEXT = 10_000

/** How a row is made. */
interface RowOptions {
  /** False: only short texts are shown, and none is compared word by word. */
  readonly comparesWords: boolean
}

/** How many characters are compared by words for a change, or told as added or deleted. */
export function comparedSize({ kind, old, new: now }: Change): number {
  return kind === 'leaf' || kind === 'richText' ? textIn(old).length + textIn(now).length : 0
}

/** A change as it is answered (§2.5), with the texts of everything it names. */
export function rowOf(
  change: Change,
  names: Names,
  ai: Ai,
  { comparesWords }: RowOptions = { comparesWords: true },
): ChangeRow {
  const { type, kind, fieldType } = change
  const textOn = (side: 'older' | 'newer') => {
    const text = textOfSide(change, side, names)
    return comparesWords ? text : cutText(text, LONGEST_TEXT)
  }
  const texts = { oldText: textOn('older'), newText: textOn('newer') }
  return {
    path: change.segments.map((step) => segmentOf(step, names)),
    type,
    kind,
    fieldType,
    ...(change.old !== undefined && { old: sendable(change.old) }),
    ...(change.new !== undefined && { new: sendable(change.new) }),
    ...texts,
    ...(kind === 'leaf' && comparesWords && diffOf(change, texts)),
    ...(kind === 'richText' && richTextOf(change, texts, { names, comparesWords })),
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

function diffOf({ type }: Change, { oldText, newText }: Texts): { diff?: readonly DiffPart[] } {
  if (oldText === '' && newText === '') return {}
  const diff = type === 'modified' ? diffTexts(oldText, newText) : wholeDiff({ oldText, newText })
  return diff === null ? {} : { diff }
}

/** What was added or deleted as a whole is not compared with nothing. */
function wholeDiff({ oldText, newText }: Texts): DiffPart[] {
  const parts = [
    { text: oldText, change: 'removed' as const },
    { text: newText, change: 'added' as const },
  ]
  return parts.filter(({ text }) => text !== '')
}

function richTextOf(
  { type, old, new: now }: Change,
  texts: Texts,
  { names, comparesWords }: RowOptions & { readonly names: Names },
) {
  if (!comparesWords) return { formatChanges: [] }
  if (type !== 'modified') return { diff: wholeDiff(texts), formatChanges: [] }
  const { diff, formatChanges } = compareRichText(textIn(old), textIn(now), readHtml)
  return {
    ...(diff !== null && { diff }),
    formatChanges: formatChanges.map((one) => formatChangeRow(one, names)),
  }
}

function textIn(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}

/** The images on either side, as far as the caller may see them. */
function imagesOf({ field, old, new: now }: Change, names: Names): Pick<ChangeRow, 'images'> {
  if (field === null || targetOf(field) !== names.imageType) return {}
  const [before, after] = [idsOf(old), idsOf(now)]
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
