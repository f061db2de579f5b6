import type { Steps } from '../words/steps.ts'
import { isSpace } from '../words/words.ts'
import { TRAITS } from './format.ts'
import { type FormatChange, type FormatChangeKind, type FormatSide, formatChange, oneLine } from './format-change.ts'
import { anchorOf, describedImage, IMAGE_CHANGES, imageOf } from './object-changes.ts'
import { ItemsByKey, withoutPairs } from './replacements.ts'
import { type RichObject, type RichWord, traitOf } from './rich-word.ts'

/** Neighbouring words that have something of their formatting in common, or an object. */
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
export function* unalignedChanges(
  older: readonly RichWord[],
  newer: readonly RichWord[],
): Steps<readonly FormatChange[]> {
  const [before, after] = [yield* formattingIn(older), yield* formattingIn(newer)]
  yield
  const [onlyOlder, onlyNewer] = withoutPairs(before, after, (one) => `${keyOf(one)}\n${one.value}`)
  yield
  const replaced = new ItemsByKey(onlyOlder, keyOf)
  const changes = onlyNewer.map((one) => {
    return formatChange(one.change, { ...one.affected, old: sideOf(replaced.take(one)), new: sideOf(one) })
  })
  const deleted = replaced.left.map((one) => formatChange(one.change, { ...one.affected, old: sideOf(one) }))
  // Words of only one text are in some kind of block, too, without having changed it.
  return [...changes, ...deleted].filter(({ change, type }) => change !== 'block' || type === 'modified')
}

/** One kind of formatting and the words or the image that have it. */
interface Formatting {
  readonly change: FormatChangeKind
  readonly value: string
  readonly affected: FormatSide
}

const keyOf = ({ change, affected }: Formatting) => `${change}\n${affected.href ?? affected.text}`

function sideOf(one: Formatting | undefined): string | FormatSide | undefined {
  return one?.change === 'image' ? one.affected : one?.value
}

/** How many words are looked at in one step. */
const WORDS_AT_ONCE = 2000

function* formattingIn(words: readonly RichWord[]): Steps<Formatting[]> {
  const runs = yield* formattedWords(words)
  return [...runs.map(formattingOfRun), ...(yield* objectsIn(words))]
}

function formattingOfRun({ words, change, value }: FormattedWords): Formatting {
  return { change, value, affected: { text: oneLine(words) } }
}

function* objectsIn(words: readonly RichWord[]): Steps<Formatting[]> {
  const found: Formatting[] = []
  for (const [index, { richObject }] of words.entries()) {
    if (index % WORDS_AT_ONCE === 0) yield
    if (richObject)
      found.push(...formattingOfObject(richObject, () => oneLine(words.slice(index, index + WORDS_AROUND))))
  }
  return found
}

/** How many words and spaces say where a line or an anchor is. */
const WORDS_AROUND = 16

function formattingOfObject(object: RichObject, around: () => string): Formatting[] {
  if (object.tag === 'hr') return [{ change: 'rule', value: '―', affected: { text: around() } }]
  if (object.tag === 'a') return [{ change: 'anchor', value: anchorOf(object) ?? '', affected: { text: around() } }]
  const affected = imageOf(object)
  const described = describedImage(object)
  const about = IMAGE_CHANGES.map((change) => ({ change, value: described[change], affected }))
  return [{ change: 'image', value: '', affected }, ...about.filter(({ value }) => value !== '')]
}

function* formattedWords(words: readonly RichWord[]): Steps<FormattedWords[]> {
  const runs: FormattedWords[] = []
  let open = new Map<string, FormattedWords>()
  let space: readonly RichWord[] = []
  for (const [index, word] of words.entries()) {
    if (index % WORDS_AT_ONCE === 0) yield
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
