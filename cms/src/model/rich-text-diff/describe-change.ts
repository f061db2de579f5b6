import { cutText } from '../../base/text.ts'
import { linkedDocument } from '../terms/permalinks.ts'
import type { Side } from '../text-diff/words.ts'
import type { FormatChange, FormatSide } from './format-change.ts'
import type { RichWord } from './rich-word.ts'

/** What may change, by its internal identifier, as people call it. */
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

/** What is affected, and what it was and is: a text, or more; absent or empty where it was or is nothing. */
export interface Difference {
  readonly text: string
  readonly href?: string
  readonly imageId?: string
  readonly old?: string | FormatSide | undefined
  readonly new?: string | FormatSide | undefined
}

/** A format change with its label. */
export function formatChange(change: FormatChangeKind, { old, new: now, ...affected }: Difference): FormatChange {
  const [before, after] = [sideOf(change, old), sideOf(change, now)]
  return {
    change,
    type: before ? (after ? 'modified' : 'deleted') : 'added',
    label: LABELS[change],
    ...affected,
    ...(before && { old: before }),
    ...(after && { new: after }),
  }
}

/** A format change with nothing that could be compared. */
export function bareChange(change: FormatChangeKind, type: FormatChange['type'], text: string): FormatChange {
  return { change, type, label: LABELS[change], text }
}

function sideOf(change: FormatChangeKind, value: string | FormatSide | undefined): FormatSide | null {
  if (value === undefined || value === '') return null
  if (typeof value !== 'string') return value
  return change === 'link' || change === 'imageLink' ? linkSide(value) : { text: value }
}

function linkSide(href: string): FormatSide {
  const documentId = linkedDocument(href)
  return { text: href, ...(documentId !== undefined && { documentId }) }
}

/** A format change and the word of the newer text at which it is reported. */
export interface PlacedChange {
  readonly index: number
  readonly found: FormatChange
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
  const cut = cutText(line, LONGEST)
  return cut === line ? line : `${cut.trimEnd()}…`
}

/** The words of a part of a text on one line. */
export function lineOf({ all, indexes }: Side<RichWord>, start: number, end: number): string {
  return oneLine(all.slice(indexes[start], (indexes[end - 1] ?? all.length) + 1))
}
