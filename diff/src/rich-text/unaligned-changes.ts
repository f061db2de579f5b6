import { isSpace } from '../words/words.ts'
import { type FormatChange, type FormatChangeKind, formatChange, oneLine } from './format-change.ts'
import { Shelf, withoutPairs } from './replacements.ts'
import { type RichWord, TRAITS, traitOf } from './rich-word.ts'

/** Neighbouring words that have something of their formatting in common. */
interface FormattedWords {
  readonly change: FormatChangeKind
  readonly value: string
  readonly words: RichWord[]
}

const NAMES: { readonly [tag: string]: string } = {
  p: 'Paragraph',
  h1: 'Heading 1',
  h2: 'Heading 2',
  h3: 'Heading 3',
  h4: 'Heading 4',
  h5: 'Heading 5',
  h6: 'Heading 6',
  li: 'List item',
  blockquote: 'Quotation',
  pre: 'Code',
  td: 'Table cell',
  th: 'Table heading',
  strong: 'Bold',
  em: 'Italic',
  u: 'Underlined',
  s: 'Struck through',
  sup: 'Superscript',
  sub: 'Subscript',
  code: 'Code',
  mark: 'Highlighted',
}

/**
 * The changes of formatting between two texts that differ too much to be compared by words (§2.5): of what stands
 * in both with other formatting, or is formatted in one only. Here kinds of blocks, bold and italic are reported, too.
 */
export function unalignedChanges(older: readonly RichWord[], newer: readonly RichWord[]): FormatChange[] {
  const [before, after] = [formattingIn(older), formattingIn(newer)]
  const [onlyOlder, onlyNewer] = withoutPairs(before, after, ({ change, value, text }) => `${change} ${value} ${text}`)
  const replaced = new Shelf(onlyOlder, keyOf)
  const changes = onlyNewer.map((one) => {
    return formatChange(one.change, { text: one.text, old: replaced.take(one)?.value, new: one.value })
  })
  const deleted = replaced.left.map(({ change, text, value }) => formatChange(change, { text, old: value }))
  // Words of only one text are in some kind of block, too, without having changed it.
  return [...changes, ...deleted].filter(({ change, type }) => change !== 'block' || type === 'modified')
}

/** One kind of formatting and the words that have it. */
interface Formatting {
  readonly change: FormatChangeKind
  readonly value: string
  readonly text: string
}

const keyOf = ({ change, text }: Formatting) => `${change} ${text}`

function formattingIn(words: readonly RichWord[]): Formatting[] {
  return formattedWords(words).map(({ words, ...formatting }) => ({ ...formatting, text: oneLine(words) }))
}

function formattedWords(words: readonly RichWord[]): FormattedWords[] {
  const runs: FormattedWords[] = []
  let open = new Map<string, FormattedWords>()
  let space: readonly RichWord[] = []
  for (const word of words) {
    if (isSpace(word)) {
      space = [word]
      if (word.text === '\n') open = new Map()
      continue
    }
    const before = open
    open = new Map()
    for (const [change, value] of formattingOf(word)) {
      const key = `${change} ${value}`
      const run = before.get(key) ?? { change, value, words: [] }
      if (run.words.length === 0) runs.push(run)
      else run.words.push(...space)
      run.words.push(word)
      open.set(key, run)
    }
    space = []
  }
  return runs
}

function* formattingOf(word: RichWord): Generator<readonly [FormatChangeKind, string]> {
  const { richObject } = word
  if (richObject) {
    if (richObject.tag === 'img') yield ['image', richObject.attributes.src ?? '']
    return
  }
  const format = word.parts[0]?.format
  if (!format) return
  yield ['block', nameOf(format.blocks.split('>').at(-1) || 'p')]
  for (const mark of format.marks) yield ['mark', nameOf(mark)]
  for (const trait of TRAITS) {
    const value = traitOf(word, trait)
    if (value !== '') yield [trait, value]
  }
}

function nameOf(tag: string): string {
  return NAMES[tag] ?? tag
}
