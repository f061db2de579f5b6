import type { Steps } from '../words/steps.ts'
import { splitWords } from '../words/words.ts'
import { type Format, PLAIN } from './format.ts'
import type { RichItem } from './read-items.ts'
import type { FormattedPart, RichObject, RichWord } from './rich-word.ts'

function plainWord(text: string): RichWord {
  return { text, format: '', parts: [{ length: text.length, format: PLAIN }] }
}

/** Spaces as a reader sees them: none at the beginning and the end, a single one around objects between words. */
export function withSpaces(items: readonly RichItem[]): readonly RichItem[] {
  const shown = [...items]
  for (let start = 0, end = 0; start < items.length; start = end + 1) {
    for (end = start; end < items.length && items[end]?.kind !== 'text'; ) end += 1
    const isBetween = start > 0 && end < items.length
    if (!isBetween || end - start > 1) joinSpaces(shown, start, end, isBetween)
  }
  return shown
}

/** Puts the space of neighbouring spaces and objects in the first place, a line break before others. */
function joinSpaces(items: RichItem[], start: number, end: number, isBetween: boolean): void {
  const texts = items.slice(start, end).map((item) => (item.kind === 'space' ? item.text : ''))
  const shown: '\n' | ' ' | '' = texts.includes('\n') ? '\n' : texts.includes(' ') ? ' ' : ''
  let text: typeof shown = isBetween ? shown : ''
  for (let index = start; index < end; index += 1) {
    const item = items[index]
    if (item?.kind !== 'space') continue
    items[index] = { ...item, text }
    text = ''
  }
}

/** How many words are made in one step. */
const WORDS_AT_ONCE = 1000

/**
 * Returns the words of a rich text, or of a part of it between two spaces, with the spaces and objects between them;
 * joined, they are its plain text (§2.5). The spaces are as a reader sees them (`withSpaces`).
 */
export function* richWordsOf(items: readonly RichItem[]): Steps<RichWord[]> {
  const made: RichWord[] = []
  const texts = items.map(textOfItem)
  for (const word of wordsOf(items, texts, yield* splitWords(texts.join('')))) {
    made.push(word)
    if (made.length % WORDS_AT_ONCE === 0) yield
  }
  return made
}

/** Returns the text of an item; objects have none. */
export function textOfItem(item: RichItem): string {
  return item.kind === 'object' ? '' : item.text
}

/** Splits the whole text at once, and puts what is between the words where it was. */
function* wordsOf(items: readonly RichItem[], texts: readonly string[], words: readonly string[]): Generator<RichWord> {
  let [index, left] = [0, texts[0]?.length ?? 0]
  for (const word of words) {
    const parts: { length: number; format: Format }[] = []
    let structure = ''
    for (let missing = word.length; missing > 0; ) {
      const item = items[index]
      const length = Math.min(missing, left)
      if (item && texts[index] === '') yield emptyWord(item)
      else if (item?.kind === 'text') addPart(parts, length, item.format)
      else if (item?.kind === 'space') structure = item.structure
      missing -= length
      left -= length
      if (left === 0) {
        index += 1
        left = texts[index]?.length ?? 0
      }
    }
    yield { text: word, format: word.trim() === '' ? structure : keyOf(parts), parts }
  }
  for (const item of items.slice(index)) yield emptyWord(item)
}

/** An object, or a boundary at which there is no space. */
function emptyWord(item: RichItem): RichWord {
  if (item.kind === 'text') return plainWord(item.text)
  if (item.kind === 'space') return { text: '', format: item.structure, parts: [] }
  const { tag, format } = item.object
  return {
    text: '',
    object: identityOf(item.object),
    format: tag === 'img' ? format.key : '',
    parts: [],
    richObject: item.object,
  }
}

/** Returns the key by which objects are matched: of an image its source, of a line its place. */
function identityOf({ tag, attributes, format }: RichObject): string {
  if (tag === 'hr') return `hr ${format.key}`
  return `${tag} ${attributes.src ?? attributes.id ?? attributes.name ?? ''}`
}

function addPart(parts: { length: number; format: Format }[], length: number, format: Format): void {
  const last = parts.at(-1)
  if (last?.format === format) last.length += length
  else parts.push({ length, format })
}

/** Returns a key for the format of a word; of one that is formatted in parts, with the end of each. */
function keyOf(parts: readonly FormattedPart[]): string {
  const [first, ...others] = parts
  if (!first || others.every(({ format }) => format.key === first.format.key)) return first?.format.key ?? ''
  return parts.map(({ length, format }) => `${length} ${format.key}`).join('; ')
}
