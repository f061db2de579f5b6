import { type Beside, boosted, type DocumentWords, type SearchQuery, type View } from './document-store.ts'

/** A word of a search: in one of its forms, or by its beginning. */
export interface SearchWord {
  readonly forms: readonly string[]
  readonly isBeginning: boolean
}

/** The words that a hit must have. */
export function wordsOf({ words, isPrefix }: SearchQuery): readonly SearchWord[] {
  return words.map((forms, index) => ({ forms, isBeginning: isPrefix && index === words.length - 1 }))
}

/** The same search for what has all words where they weigh more. */
export function inTitles({ words, isPrefix, beside }: SearchQuery): SearchQuery {
  const inTitle = { words: words.map((forms) => forms.map(boosted)), isPrefix }
  return beside ? { ...inTitle, beside: { ...beside, found: beside.found.filter((one) => one.isBoosted) } } : inTitle
}

/** Whether a document has a word. */
export function holdsWord({ words }: DocumentWords, { forms, isBeginning }: SearchWord): boolean {
  return forms.some((form) => words.includes(isBeginning ? ` ${form}` : ` ${form} `))
}

/** Whether a view shows a document. */
export function isShownTo(view: View, { isArchived, visibility }: DocumentWords): boolean {
  const isVisible = view.visibility === null || view.visibility === visibility
  return isVisible && (view.archived === 'any' || view.archived === isArchived)
}

/** What is matched beside the index: of these rows, those whose words have all words of a search. */
export function besideOf(
  documents: ReadonlyMap<number, DocumentWords>,
  rows: readonly number[],
  search: SearchQuery,
): Beside {
  const hasAll = (document: DocumentWords, words: readonly SearchWord[]) =>
    words.every((word) => holdsWord(document, word))
  const [words, titleWords] = [wordsOf(search), wordsOf(inTitles(search))]
  const found = [...documents].filter(([, document]) => hasAll(document, words))
  return { rows, found: found.map(([row, document]) => ({ row, isBoosted: hasAll(document, titleWords) })) }
}
