import { stemOf } from '../../base/stems.ts'
import { cutText, searchWords } from '../../base/text.ts'
import type { SearchWeight, Site } from '../../model/declared/types.ts'

/** The most characters of a document that are indexed: very long ones are found by their beginning. */
const INDEXED_LENGTH = 250_000
/** The most bytes of their words: PostgreSQL takes 1,048,575 of a document. */
const INDEXED_BYTES = 1_000_000
/** In UTF-8, of one code unit of a text. */
const MOST_BYTES_OF_UNIT = 3

/** No word of a text has these characters: a stem; a word that weighs more, once more; one that weighs less. */
export const [STEM, HIGH, LOW] = ['__', '_', '~~'] as const

/** A text by which a document is found. */
interface IndexedText {
  /** Begins the words of an audience, so that a search never matches what its caller cannot read. */
  readonly marker: string
  readonly weight: SearchWeight
  readonly text: string
}

/** The language of the documents of a locale; types without locales are in that of the default locale. */
export function languageOf({ locales, defaultLocale }: Site, locale: string): string {
  return locales.get(locale === '' ? defaultLocale : locale)?.language ?? ''
}

/**
 * Returns the words that a document is found by, each once in its audience's form, with their stems; those that weigh
 * more also as such. The widest audience comes first: words beyond the limit are dropped from the end, so that hidden
 * words do not affect what others find.
 */
export function indexedWords(texts: readonly IndexedText[], language: string): string {
  const words = new Set<string>()
  let left = INDEXED_LENGTH
  for (const { marker, weight, text } of texts) {
    const indexed = cutText(text, left)
    left -= indexed.length
    for (const word of new Set(searchWords(indexed))) {
      for (const form of placedFormsOf(word, { marker, weight, language })) words.add(form)
    }
  }
  return withinBytes([...words].join(' '))
}

/** The forms in which a word of a text is indexed: as written, and its stem where that differs. */
export function placedFormsOf(
  word: string,
  { marker, weight, language }: Pick<IndexedText, 'marker' | 'weight'> & { readonly language: string },
): readonly string[] {
  const stem = stemOf(word, language)
  const forms = stem === word ? [marker + word] : [marker + word, STEM + marker + stem]
  if (weight === 'low') return forms.map((form) => LOW + form)
  return weight === 'high' ? [...forms, ...forms.map((form) => HIGH + form)] : forms
}

/** The shortest and the longest word that may stand for one with a mistake; none with digits does. */
const SPELLING = /^(?:~~)?_*(?:~\d)?([\p{L}\p{M}]{4,32})$/u

/** The words that may stand for mistyped ones, among those that documents are found by. */
export function spellingsIn(words: Iterable<string>): ReadonlySet<string> {
  const found = new Set<string>()
  for (const word of words) {
    const spelling = SPELLING.exec(word)?.[1]
    if (spelling !== undefined) found.add(spelling)
  }
  return found
}

/** Words as long as the index of every database takes them. */
function withinBytes(words: string): string {
  if (words.length * MOST_BYTES_OF_UNIT <= INDEXED_BYTES) return words
  const bytes = Buffer.from(words)
  if (bytes.length <= INDEXED_BYTES) return words
  return bytes.toString('utf8', 0, bytes.lastIndexOf(' ', INDEXED_BYTES))
}
