/** The list that is searched, as a `Scope`. */
export interface SearchScope {
  readonly type: string
  readonly locale: string
  readonly mode: string
}
/** The part of a `View` that decides which documents are shown. */
interface View {
  readonly archived: boolean | 'any'
  readonly visibility: string | null
}

/** All words must be there, each in one of its forms; the last one only by its beginning when `isPrefix`. */
export interface SearchQuery {
  readonly words: readonly (readonly string[])[]
  readonly isPrefix: boolean
  /** Better matches, best first: what has all words in the forms of one of them comes before what has not. */
  readonly ranks?: readonly SearchRank[]
  /** Copies saved since they were last indexed: matched by these fields, whatever the index holds for them. */
  readonly unindexed?: UnindexedMatches
  /** The words of documents that may not be indexed yet; absent where it is not known which are. */
  readonly recent?: RecentWords
}

/** The forms of each word of a search. */
export type SearchRank = readonly (readonly string[])[]

/** Reads the words of documents that were saved since they were last indexed. */
export interface RecentWords {
  /** Up to this commit (`Changes.now`) the index holds everything. */
  readonly indexed: number
  /** Documents of a scope as they are now, by row number, whether they are indexed or not; missing: there is none. */
  of(scope: SearchScope, rows: readonly number[]): Promise<ReadonlyMap<number, DocumentWords>>
  /** Counts the documents whose words would have to be read. */
  unread(scope: SearchScope, rows: readonly number[]): Promise<number>
}

/** The words by which a search finds a document, and what decides who sees it. */
export interface DocumentWords {
  readonly isArchived: boolean
  readonly visibility: string
  /** Its words, as they are indexed, with a space before and after each. */
  readonly words: string
}

/** Documents that are matched by their words instead of by the search index, by row number. */
export interface UnindexedMatches {
  readonly rows: readonly number[]
  /** `rank`: the best one that matches, by its place among those of the search; beyond them where none does. */
  readonly found: readonly { readonly row: number; readonly rank: number }[]
}

/** A word of a search: in one of its forms, or by its beginning. */
export interface SearchWord {
  readonly forms: readonly string[]
  readonly isBeginning: boolean
}

/** The words that a hit must have. */
export function wordsOf({ words, isPrefix }: SearchQuery): readonly SearchWord[] {
  return words.map((forms, index) => ({ forms, isBeginning: isPrefix && index === words.length - 1 }))
}

/** One search for each rank of a search, for the documents that have all of its words in these forms. */
export function rankedSearches({ ranks = [], isPrefix, unindexed }: SearchQuery): readonly SearchQuery[] {
  return ranks.map((words, rank) => {
    if (unindexed === undefined) return { words, isPrefix }
    return { words, isPrefix, unindexed: { ...unindexed, found: unindexed.found.filter((one) => one.rank === rank) } }
  })
}

/** Whether a document has a word. */
export function holdsWord({ words }: DocumentWords, { forms, isBeginning }: SearchWord): boolean {
  return forms.some((form) => {
    // The space before it is everywhere: looking for that first takes several times as long.
    for (let at = words.indexOf(form); at >= 0; at = words.indexOf(form, at + 1)) {
      if (words[at - 1] === ' ' && (isBeginning || words[at + form.length] === ' ')) return true
    }
    return false
  })
}

/** Whether a view shows a document. */
export function isShownTo(view: View, { isArchived, visibility }: Omit<DocumentWords, 'words'>): boolean {
  const isVisible = view.visibility === null || view.visibility === visibility
  return isVisible && (view.archived === 'any' || view.archived === isArchived)
}

/** The matches of a search among rows that are not in the index as they are now. */
export function unindexedMatches(
  documents: ReadonlyMap<number, DocumentWords>,
  rows: readonly number[],
  search: SearchQuery,
): UnindexedMatches {
  const hasAll = (document: DocumentWords, words: readonly SearchWord[]) =>
    words.every((word) => holdsWord(document, word))
  const words = wordsOf(search)
  const ranks = rankedSearches(search).map(wordsOf)
  const rankOf = (document: DocumentWords) => {
    const rank = ranks.findIndex((one) => hasAll(document, one))
    return rank < 0 ? ranks.length : rank
  }
  const found = [...documents].filter(([, document]) => hasAll(document, words))
  return { rows, found: found.map(([row, document]) => ({ row, rank: rankOf(document) })) }
}
