import { invalid } from '../../base/errors.ts'
import { STEMMED_LANGUAGES, stemOf } from '../../base/stems.ts'
import { lengthOf, searchWords } from '../../base/text.ts'
import type { SearchRank } from '../../store/contract/store.ts'
import type { TypeView } from '../view.ts'
import type { ListSearch, RequestedWords } from './find.ts'
import { markersOf } from './found-texts.ts'
import { HIGH, LOW, STEM } from './indexed-words.ts'

/** How much one search may ask for (§0.5). */
const MAX_LENGTH = 500
const MAX_WORDS = 32

/**
 * The words of a search in a language, in the forms that this caller may find; null when the texts are blank. Throws
 * `invalid` for texts that are too long.
 */
export function listSearch(
  access: TypeView,
  texts: { readonly search: string; readonly autocomplete: string },
  language: string,
): ListSearch | null {
  if (texts.search.trim() === '' && texts.autocomplete.trim() === '') return null
  const search = wordsOf('search', texts.search)
  const autocomplete = wordsOf('autocomplete', texts.autocomplete)
  const hasLow = [...access.type.searchWeights.values()].includes('low')
  return withForms({ search, autocomplete, language, markers: markersOf(access), hasLow }, () => [])
}

/** A word of a text search, in forms without markers: as written, and all that may stand for it. */
interface RequestedWord {
  readonly literal: string
  readonly others: readonly string[]
}

/** A search for these words; `spellings`: what else may stand for one of them. */
export function withForms(asked: RequestedWords, spellings: (word: string) => readonly string[]): ListSearch {
  const { search, autocomplete, language, hasLow } = asked
  const words: readonly RequestedWord[] = [
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
  { markers }: RequestedWords,
  { literal, others }: RequestedWord,
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
