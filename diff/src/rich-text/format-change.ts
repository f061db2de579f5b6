import type { Side } from '../words/words.ts'
import type { RichWord } from './rich-word.ts'

/** The labels of format changes, by their identifiers. */
const LABELS = {
  link: 'Link',
  linkOptions: 'Link options',
  anchor: 'Anchor',
  color: 'Color',
  class: 'Style',
  alignment: 'Alignment',
  table: 'Table layout',
  numbering: 'Numbering',
  attributes: 'Formatting',
  structure: 'Layout',
  image: 'Image',
  imageAlt: 'Image description',
  imageStyle: 'Image style',
  imageLink: 'Image link',
  rule: 'Horizontal line',
  block: 'Block',
  mark: 'Text style',
}

/** The identifiers of format changes (§2.5). */
export type FormatChangeKind = keyof typeof LABELS

/** The value of one side of a format change (§2.5). */
export interface FormatSide {
  /** Of a link its address. */
  readonly text: string
  /** The address of an image. */
  readonly href?: string
}

/** A change of formatting that the words of a rich text do not show (§2.5). */
export interface FormatChange {
  readonly change: FormatChangeKind
  readonly type: 'added' | 'modified' | 'deleted'
  readonly label: string
  /** The affected words on one line, or the description of an image. */
  readonly text: string
  /** The address of an image. */
  readonly href?: string
  readonly old?: FormatSide
  readonly new?: FormatSide
}

/** The affected words or image, with the old and new value; a value is absent or empty on the side that has none. */
export interface Difference {
  readonly text: string
  readonly href?: string
  readonly old?: string | FormatSide | undefined
  readonly new?: string | FormatSide | undefined
}

/** A format change with its label. */
export function formatChange(change: FormatChangeKind, { old, new: now, ...affected }: Difference): FormatChange {
  const [before, after] = [sideOf(old), sideOf(now)]
  return {
    change,
    type: before ? (after ? 'modified' : 'deleted') : 'added',
    label: LABELS[change],
    ...affected,
    ...(before && { old: before }),
    ...(after && { new: after }),
  }
}

/** A format change without values to compare. */
export function bareChange(change: FormatChangeKind, type: FormatChange['type'], text: string): FormatChange {
  return { change, type, label: LABELS[change], text }
}

function sideOf(value: string | FormatSide | undefined): FormatSide | null {
  if (value === undefined || value === '') return null
  return typeof value === 'string' ? { text: value } : value
}

/** A format change and the word of the newer text at which it is reported. */
export interface ChangeAt {
  readonly index: number
  readonly change: FormatChange
}

const LONGEST = 80

/** Words shortened to one line. */
export function oneLine(words: readonly { readonly text: string }[]): string {
  let text = ''
  for (const word of words) {
    text += word.text
    if (text.length > 4 * LONGEST) break
  }
  const line = text.replace(/\s+/g, ' ').trim()
  const characters = Array.from(line.slice(0, 2 * LONGEST + 2))
  if (characters.length <= LONGEST) return line
  let end = LONGEST
  while (end > 0 && /^\p{M}$/u.test(characters[end] ?? '')) end -= 1
  return `${characters.slice(0, end).join('').trimEnd()}…`
}

/** The words of a part of a text on one line. */
export function lineOf({ all, indexes }: Side<RichWord>, start: number, end: number): string {
  return oneLine(all.slice(indexes[start], (indexes[end - 1] ?? all.length) + 1))
}
