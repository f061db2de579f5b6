import type { Steps } from './steps.ts'

/** A word, a run of space, a punctuation mark, or an object such as an image: what texts are compared by. */
export interface Word {
  readonly text: string
  /** Words of one text in two formats are two different words to a reader. */
  readonly format?: string
  /** The identity of an object, which has no text of its own. */
  readonly object?: string
}

/** A text to be matched: its words and objects, and the spaces around them. */
export interface Side<Kind extends Word = Word> {
  /** Words and spaces. */
  readonly all: readonly Kind[]
  readonly words: readonly Kind[]
  /** Where each of them stands among all words and spaces. */
  readonly indexes: readonly number[]
  /** The space before each of them, and after the last one. */
  readonly spaces: readonly string[]
}

/** The matched words of two texts: the index on the other side, or -1. */
export interface Alignment<Kind extends Word = Word> {
  readonly older: Side<Kind>
  readonly newer: Side<Kind>
  readonly toNewer: Int32Array
  readonly toOlder: Int32Array
}

/** True for a run of space; without length it stands for a boundary at the beginning or the end. */
export function isSpace({ text, object }: Word): boolean {
  return object === undefined && text.trim() === ''
}

/** Words in a form in which they can be matched. */
export function sideOf<Kind extends Word>(all: readonly Kind[]): Side<Kind> {
  const side = { all, words: [] as Kind[], indexes: [] as number[], spaces: [''] }
  for (const [index, word] of all.entries()) {
    if (isSpace(word)) side.spaces[side.words.length] += `${word.text}${word.format ?? ''}`
    else {
      side.words.push(word)
      side.indexes.push(index)
      side.spaces.push('')
    }
  }
  return side
}

/** Takes a pair of matched words apart. */
export function unmatch({ toNewer, toOlder }: Alignment, older: number): void {
  const newer = toNewer[older] ?? -1
  if (newer < 0) return
  toNewer[older] = -1
  toOlder[newer] = -1
}

const PUNCTUATION = /^[\p{P}\p{S}]+$/u

/** True for a punctuation mark or a symbol. */
export function isPunctuation({ text }: Word): boolean {
  return PUNCTUATION.test(text)
}

/** Characters of scripts that are written without spaces between words: those that ICU segments by dictionary. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Khmer}\p{sc=Lao}\p{sc=Myanmar}]/u
/**
 * Pieces that can be segmented one by one: the cost of those scripts grows faster than the length of what is segmented.
 */
const PIECES = /\s+|[\u3000-\u303f\uff01-\uff0f\uff1a-\uff20]+|[^\s\u3000-\u303f\uff01-\uff0f\uff1a-\uff20]{1,1000}/gu
const SPACE = /^\s+$/

let segmenter: Intl.Segmenter | null = null

/** Created on first use, because it loads dictionaries. */
function wordSegmenter(): Intl.Segmenter {
  segmenter ??= new Intl.Segmenter('und', { granularity: 'word' })
  return segmenter
}

/** A text in words, runs of space and punctuation marks, in any script (§2.5). Joined, they are the text. */
export function* splitWords(text: string): Steps<string[]> {
  const words: string[] = []
  for (const piece of UNSPACED.test(text) ? (text.match(PIECES) ?? []) : [text]) yield* addWords(words, piece)
  return words
}

/** Words that are found in one step. */
const WORDS_AT_ONCE = 2000

function* addWords(words: string[], piece: string): Steps<void> {
  let space = ''
  let found = 0
  for (const { segment } of wordSegmenter().segment(piece)) {
    if (SPACE.test(segment)) {
      space += segment
      continue
    }
    if (space !== '') words.push(space)
    space = ''
    words.push(segment)
    found += 1
    if (found % WORDS_AT_ONCE === 0) yield
  }
  if (space !== '') words.push(space)
}
