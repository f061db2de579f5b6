import { lengthOf } from '../../base/text.ts'
import { unindexedMatches } from '../../store/contract/store.ts'
import type { Context } from '../context.ts'
import type { ListRequest, ListSearch } from './find.ts'
import { spellingsIn } from './indexed-words.ts'
import { withForms } from './search.ts'

/** From how many letters on a word may have a mistake, and in searches of how many words at most. */
const SHORTEST = 5
const MOST_WORDS = 8
/** The most words that may stand for one: those that differ by one mistake are far fewer. */
const MOST_SPELLINGS = 200

const LETTERS_ALONE = /^[\p{L}\p{M}]+$/u

/**
 * Returns a list whose search takes words of five and more letters with one typing mistake: a letter too many, too few,
 * wrong, or two of them swapped. Null where no document has a word that is so alike.
 */
export async function withMistakes(ctx: Context, request: ListRequest): Promise<ListRequest | null> {
  const { search } = request
  const words = new Set(search?.asked.search)
  const long = [...words].filter((word) => lengthOf(word) >= SHORTEST && LETTERS_ALONE.test(word))
  if (search === null || long.length === 0 || words.size > MOST_WORDS) return null
  const waiting = waitingSpellings(search)
  const found = new Map<string, readonly string[]>()
  for (const word of long) {
    const known = new Set([...(await ctx.store.documents.spellingsLike(word)), ...waiting])
    const alike = [...known].filter((other) => isOneMistake(word, other))
    if (alike.length > 0) found.set(word, alike.toSorted().slice(0, MOST_SPELLINGS))
  }
  if (found.size === 0) return null
  return {
    ...request,
    search: withSameDocuments(
      search,
      withForms(search.asked, (word) => found.get(word) ?? []),
    ),
  }
}

/** The words of the documents that the index does not hold yet. */
function waitingSpellings({ waiting }: ListSearch): readonly string[] {
  return [...(waiting?.documents.values() ?? [])].flatMap(({ words }) => [...spellingsIn(words.split(' '))])
}

/** Another search among the same documents. */
function withSameDocuments({ recent, waiting }: ListSearch, search: ListSearch): ListSearch {
  return {
    ...search,
    ...(recent && { recent }),
    ...(waiting && { waiting, unindexed: unindexedMatches(waiting.documents, waiting.rows, search) }),
  }
}

/** Whether two words differ by one letter, or by two neighbours that are swapped. */
function isOneMistake(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 2) return false
  const [left, right] = [[...one], [...other]]
  let first = 0
  while (first < left.length && left[first] === right[first]) first += 1
  let last = 0
  while (last < Math.min(left.length, right.length) - first && left.at(-1 - last) === right.at(-1 - last)) last += 1
  const [a, b] = [left.slice(first, left.length - last), right.slice(first, right.length - last)]
  const isSwapped = a.length === 2 && b.length === 2 && a[0] === b[1] && a[1] === b[0]
  return isSwapped || (a.length + b.length > 0 && a.length <= 1 && b.length <= 1)
}
