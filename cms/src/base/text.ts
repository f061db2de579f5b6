/** Characters of a slug at most, and of each part of a page's. */
export const SLUG_LENGTH = 200
/** Characters of a page's whole slug at most. */
export const PAGE_SLUG_LENGTH = 1000
const FOLDED_LENGTH = 300
/** The characters at the end of a folded text that was cut, and how long one is at least. */
export const CUT = { ending: 14, least: 250 } as const
/** How much of a text is folded for sorting: more than enough for the characters that are stored. */
const SORTED_LENGTH = 10 * FOLDED_LENGTH
const WORD_LENGTH = 64
/** Letters and digits of any script, with their marks. */
const WORD = /(?:[\p{L}\p{N}]\p{M}*)+/gu
const ASCII_ONLY = /^\p{ASCII}*$/u

/** Counts the characters (code points) of a text. */
export function lengthOf(text: string): number {
  let length = text.length
  for (let index = 0; index < text.length - 1; index += 1) {
    if (isPairAt(text, index)) {
      length -= 1
      index += 1
    }
  }
  return length
}

/** The first characters of a text, never splitting a surrogate pair or a letter from its combining marks. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text
  const characters = Array.from(text.slice(0, length * 2 + 2))
  if (characters.length <= length) return text
  let end = length
  while (end > 0 && /^\p{M}$/u.test(characters[end] ?? '')) end -= 1
  return characters.slice(0, end).join('')
}

/**
 * The text as a slug (§2.12): letters and digits of any script in lower case, other runs become `-`, at most 200
 * characters. With `allow: '/'` slashes stay, single ones, none at the end: then each part has at most 200 characters,
 * all of them together 1,000. Empty when nothing is left.
 */
export function slugify(text: string, options: { readonly allow?: '/' } = {}): string {
  if (options.allow === undefined) return trimSlug(cutText(slugPart(text), SLUG_LENGTH))
  const parts = slugParts(text).map((part) => trimSlug(cutText(part, SLUG_LENGTH)))
  return trimSlug(cutText(joinedParts(text, parts), PAGE_SLUG_LENGTH))
}

/** True when the slug of a text has to be cut. */
export function isSlugTooLong(text: string, options: { readonly allow?: '/' } = {}): boolean {
  if (options.allow === undefined) return lengthOf(slugPart(text)) > SLUG_LENGTH
  const parts = slugParts(text)
  return parts.some((part) => lengthOf(part) > SLUG_LENGTH) || lengthOf(joinedParts(text, parts)) > PAGE_SLUG_LENGTH
}

function slugParts(text: string): string[] {
  return text.split('/').flatMap((part) => slugPart(part) || [])
}

function joinedParts(text: string, parts: readonly string[]): string {
  return `${text.trimStart().startsWith('/') ? '/' : ''}${parts.join('/')}`
}

function slugPart(text: string): string {
  const lower = normalized(normalized(text, 'NFC').toLowerCase(), 'NFC')
  return (lower.match(WORD) ?? []).join('-')
}

function trimSlug(slug: string): string {
  return slug.replace(/[-/]+$/, (end) => (end === slug ? slug.slice(0, 1) : ''))
}

/**
 * The text as filters compare it: case folded, accents kept, at most 300 characters. A longer text is cut and ends in a
 * hash of the whole.
 */
export function foldText(text: string): string {
  const folded = lowerCase(normalized(text, 'NFC'))
  if (lengthOf(folded) <= FOLDED_LENGTH) return folded
  const suffix = `#${hashOf(folded)}`
  return cutText(folded, FOLDED_LENGTH - CUT.ending) + suffix
}

/** The text as lists sort it: case and accents folded, at most 300 characters. */
export function sortText(text: string): string {
  const beginning = cutText(withoutExcessMarks(text.trimStart()), SORTED_LENGTH)
  return cutText(plainLetters(beginning).trim().replace(/\s+/g, ' '), FOLDED_LENGTH)
}

/**
 * The words of a text, in order and with repetitions, case and accents folded, at most 64 characters each. Scripts
 * written without spaces are segmented by dictionary.
 */
export function searchWords(text: string): string[] {
  if (ASCII_ONLY.test(text)) return asciiWords(text)
  const words: string[] = []
  for (const [run] of plainLetters(text).matchAll(WORD)) {
    if (UNSPACED.test(run)) for (const { segment } of segmentsOf(run)) words.push(cutText(segment, WORD_LENGTH))
    else words.push(cutText(run, WORD_LENGTH))
  }
  return words
}

/** The words of a text in ASCII alone, found several times quicker. */
function asciiWords(text: string): string[] {
  const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? []
  return words.some(({ length }) => length > WORD_LENGTH) ? words.map((word) => cutText(word, WORD_LENGTH)) : words
}

const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Khmer}\p{sc=Lao}\p{sc=Myanmar}]/u
let segmenter: Intl.Segmenter | null = null

/** Created on first use, because it loads dictionaries that most sites never need. */
function wordSegmenter(): Intl.Segmenter {
  segmenter ??= new Intl.Segmenter('und', { granularity: 'word' })
  return segmenter
}

const SEGMENTED_LENGTH = 1000

/** The words of a run without spaces. Very long runs are segmented in pieces: the cost grows faster than their length. */
function* segmentsOf(run: string): Generator<{ readonly segment: string; readonly index: number }> {
  for (let start = 0, end = 0; start < run.length; start = end) {
    end = start + SEGMENTED_LENGTH
    if (isPairAt(run, end - 1)) end += 1
    for (const { segment, index, isWordLike } of wordSegmenter().segment(run.slice(start, end))) {
      if (isWordLike) yield { segment, index: start + index }
    }
  }
}

/** The words of a text as it is written, each with its beginning and its words as `searchWords` makes them. */
export function* wordsInPlace(text: string): Generator<{ start: number; written: string; words: readonly string[] }> {
  for (const { 0: run, index: at } of text.matchAll(WORD)) {
    const parts = UNSPACED.test(run) ? segmentsOf(run) : [{ segment: run, index: 0 }]
    for (const { segment, index } of parts) {
      yield { start: at + index, written: segment, words: searchWords(segment) }
    }
  }
}

/**
 * Accents of Latin, Greek and Cyrillic letters, vowel points of Hebrew and Arabic: what people leave out when
 * searching.
 */
const ACCENTS = /[\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670]/g
const LETTERS_AS_WRITTEN = /[ßæœøłđðþıς]/g
const LETTERS: { readonly [letter: string]: string } = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ς: 'σ',
}

/** Case and accents folded; the letters of other scripts stay whole. */
function plainLetters(text: string): string {
  if (ASCII_ONLY.test(text)) return text.toLowerCase()
  const bare = normalized(normalized(text, 'NFKD').toLowerCase(), 'NFKD').replace(ACCENTS, '')
  const plain = bare.replace(LETTERS_AS_WRITTEN, (letter) => LETTERS[letter] ?? letter)
  return normalized(plain, 'NFC')
}

/** More combining marks than any language puts on one letter; the halfwidth sound marks become marks in NFKD. */
const EXCESS_MARKS = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu
const HAS_EXCESS_MARKS = /[\p{M}\uff9e\uff9f]{31}/u

/**
 * Returns the normal form of a text in which no letter has more than 30 combining marks. Normalizing sorts the marks of
 * a letter in quadratic time, so excess marks are dropped first; decomposition can add some, so they are dropped again
 * afterwards. No other code normalizes texts (`cms/test/layers.test.ts`).
 */
export function normalized(text: string, form: 'NFC' | 'NFKD'): string {
  return ASCII_ONLY.test(text) ? text : withoutExcessMarks(withoutExcessMarks(text).normalize(form))
}

/** True when more than 30 combining marks follow one another, which `normalized` would drop. */
export function hasExcessMarks(text: string): boolean {
  return HAS_EXCESS_MARKS.test(text)
}

let collator: Intl.Collator | null = null

/** Compares two labels as alphabets order them, numbers by their value; of more than 30 combining marks in a row, 30. */
export function compareLabels(one: string, other: string): number {
  // Made at the first use, so that it does not delay the start. Comparing marks takes quadratic time.
  collator ??= new Intl.Collator('en', { numeric: true })
  return collator.compare(withoutExcessMarks(one), withoutExcessMarks(other))
}

function withoutExcessMarks(text: string): string {
  return text.replace(EXCESS_MARKS, '$1')
}

function lowerCase(text: string): string {
  if (ASCII_ONLY.test(text)) return text.toLowerCase()
  return normalized(text.toLowerCase().replaceAll('ς', 'σ'), 'NFC')
}

/** A 13-character hash of a text, to tell long texts apart; not cryptographic. */
function hashOf(text: string): string {
  let first = 0x811c9dc5
  let second = 0x1b873593
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    first = Math.imul(first ^ unit, 0x01000193)
    second = Math.imul(second ^ unit, 0x5bd1e995) ^ (second >>> 15)
  }
  return (first >>> 0).toString(36).padStart(7, '0') + (second >>> 0).toString(36).padStart(7, '0').slice(-6)
}

function isPairAt(text: string, index: number): boolean {
  return (text.charCodeAt(index) & 0xfc00) === 0xd800 && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00
}

/** The name of a locale as browsers and search engines read it: `pt_br` is `pt-br`. */
export function languageTag(locale: string): string {
  return locale.replaceAll('_', '-')
}

/** A URL as it may be shown: without the password of its user, and without those among its parameters. */
export function withoutPassword(url: string): string {
  return url.replace(/^([a-z][a-z0-9+.-]*:\/\/[^:/?#@]*):.*@/i, '$1@').replace(/([?&][^=&#]*password=)[^&#]*/gi, '$1…')
}

/** A page's slug below another one: the home page's is `/`. */
export function joinSlug(parentSlug: string, part: string): string {
  return `${parentSlug === '/' ? '' : parentSlug}/${part}`
}

/** A number of things in words: `1 document`, `2 documents`; `many` where the plural has no plain `s`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}
