import { invalid } from '../../base/errors.ts'
import { STEMMED_LANGUAGES, stemOf } from '../../base/stems.ts'
import { cutText, lengthOf, searchWords } from '../../base/text.ts'
import type { Site } from '../../model/declared/types.ts'
import type { SearchRank } from '../../store/contract/store.ts'
import type { TypeView } from '../view.ts'
import type { AskedWords, ListSearch } from './find.ts'
import { type FoundText, markersOf } from './found-texts.ts'

/** The most characters of a document that are indexed: very long ones are found by their beginning. */
const INDEXED_LENGTH = 250_000
/** The most bytes of their words: PostgreSQL takes 1,048,575 of a document. */
const INDEXED_BYTES = 1_000_000
/** In UTF-8, of one code unit of a text. */
const MOST_BYTES_OF_UNIT = 3

/** How much one search may ask for (§0.5). */
const MAX_LENGTH = 500
const MAX_WORDS = 32

/** No word of a text has these characters: a stem; a word that weighs more, once more; one that weighs less. */
const [STEM, HIGH, LOW] = ['__', '_', '~~'] as const

/** The language of the documents of a locale; types without locales are in that of the default locale. */
export function languageOf({ locales, defaultLocale }: Site, locale: string): string {
  return locales.get(locale === '' ? defaultLocale : locale)?.language ?? ''
}

/**
 * Returns the words that a document is found by, each once in its audience's form, with their stems; those that weigh
 * more also as such. The widest audience comes first: words beyond the limit are dropped from the end, so that hidden
 * words do not affect what others find.
 */
export function indexedWords(texts: readonly FoundText[], language: string): string {
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
  { marker, weight, language }: Pick<FoundText, 'marker' | 'weight'> & { readonly language: string },
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

/**
 * The words of a search in a language, in the forms that this caller may find; null when the texts are blank. Throws
 * `invalid` for texts that are too long.
 */
export function listSearch(
  access: TypeView,
  texts: { readonly search: string; readonly autocomplete: string },
  language: string,
): ListSearch | null {
  const search = wordsOf('search', texts.search)
  const autocomplete = wordsOf('autocomplete', texts.autocomplete)
  const isBlank = texts.search.trim() === '' && texts.autocomplete.trim() === ''
  if (search.length + autocomplete.length === 0 && isBlank) return null
  const hasLow = [...access.type.searchWeights.values()].includes('low')
  return withForms({ search, autocomplete, language, markers: markersOf(access), hasLow }, () => [])
}

/** A word of a text search, in forms without markers: as written, and all that may stand for it. */
interface AskedWord {
  readonly literal: string
  readonly others: readonly string[]
}

/** A search for these words; `spellings`: what else may stand for one of them. */
export function withForms(asked: AskedWords, spellings: (word: string) => readonly string[]): ListSearch {
  const { search, autocomplete, language, hasLow } = asked
  const words: readonly AskedWord[] = [
    ...search.map((word) => ({ literal: word, others: [...stemsOf(word, language), ...spellings(word)] })),
    ...autocomplete.map((literal) => ({ literal, others: [] })),
  ]
  const rank = (hasOthers: boolean, places: readonly string[]): SearchRank =>
    words.map((word) => [...new Set(places.flatMap((place) => askedForms(asked, word, { hasOthers, place })))])
  const places = hasLow ? [[HIGH], [''], ['', LOW]] : [[HIGH], ['']]
  const ranks = [...places.map((place) => rank(false, place)), ...places.map((place) => rank(true, place))]
  const distinct = new Map(ranks.map((one) => [JSON.stringify(one), one]))
  // Text without any word, as of punctuation alone, matches nothing.
  const [all = [[]], ...better] = words.length === 0 ? [] : [...distinct.values()].reverse()
  return { asked, words: all, isPrefix: autocomplete.length > 0, ranks: better.reverse() }
}

function stemsOf(word: string, language: string): readonly string[] {
  return STEMMED_LANGUAGES.includes(language) ? [stemOf(word, language)] : []
}

/** The forms of a word at a place of some weight, for each audience of the caller. */
function askedForms(
  { markers }: AskedWords,
  { literal, others }: AskedWord,
  { hasOthers, place }: { readonly hasOthers: boolean; readonly place: string },
): readonly string[] {
  const stems = hasOthers ? others : []
  return markers.flatMap((marker) => [
    ...[literal, ...stems].map((word) => place + marker + word),
    ...stems.map((stem) => place + STEM + marker + stem),
  ])
}

function wordsOf(name: string, text: string): string[] {
  if (lengthOf(text) > MAX_LENGTH) throw invalid(`${name} takes at most ${MAX_LENGTH} characters.`)
  const words = searchWords(text)
  if (words.length > MAX_WORDS) throw invalid(`${name} takes at most ${MAX_WORDS} words.`)
  return words
}
