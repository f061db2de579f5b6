import { ByteLru } from '../base/byte-lru.ts'
import { NumberSet } from '../base/number-set.ts'
import type { Changes } from './changes.ts'
import { QuerySql, rowsOf } from './query.ts'
import { scopeKey, statesOf } from './rows.ts'
import { holdsWord, inTitles, isShownTo, type SearchWord, wordsOf } from './search-query.ts'
import type { Connection } from './statement.ts'
import type { Filter, RecentWords, SearchQuery, View } from './store.ts'

/** What a search finds, and the last commit that it knows of; null where that cannot be known. */
interface Hits {
  readonly rows: NumberSet
  readonly inTitle: readonly NumberSet[]
  readonly since: number | null
}

/** The documents of a view that have a word. */
interface Found {
  readonly rows: NumberSet
  readonly since: number
}

/** What searches look at beside the index: the changes of documents, and their words. */
interface Known {
  readonly changes: Changes
  readonly recent: RecentWords
}

type Search = Filter & { readonly search: SearchQuery }
type SearchPage = Search & { readonly offset: number; readonly limit: number }

/** Bytes of all that is cached. */
const MAX_BYTES = 24_000_000
/** With more changes than this, what has a word is read anew. */
const MOST_CHANGES = 100
/** So many of the newest hits are ranked at a time, however many there are. */
const RANKED = 500

/**
 * Finds what has all words of a search. For each word that is asked for, the row numbers of the documents that have it are
 * cached. After commits only the changed documents are looked at again, by their own words, whatever the index holds.
 * Looking twice makes no difference, so they are right in every process. Bounded in bytes, least recently used out first.
 */
export class SearchHits {
  readonly #connection: Connection
  readonly #changes: () => Changes | null
  readonly #found = new ByteLru<Found>(MAX_BYTES)

  /** `changes` as the store's: null while nothing may be answered from memory. */
  constructor(connection: Connection, changes: () => Changes | null) {
    this.#connection = connection
    this.#changes = changes
  }

  /** The hits of a page by relevance, with all that was committed before the call; `isAnew`: not from the cache. */
  async page(query: SearchPage, isAnew: boolean) {
    const hits = await this.#find(query, isAnew)
    return { rows: pageOf(hits, query.offset, query.limit), total: hits.rows.size, since: hits.since }
  }

  async #find(query: Search, isAnew: boolean): Promise<Hits> {
    const { recent } = query.search
    const isPlain = query.conditions.length === 0 && query.docIds === undefined
    const changes = isPlain && recent && !isAnew ? this.#changes() : null
    return (changes && recent && (await this.#follow(query, { changes, recent }))) ?? this.#read(query)
  }

  /** Null where changes are not known any more. */
  async #follow(query: Search, known: Known): Promise<Hits | null> {
    const words = wordsOf(query.search)
    const found = await this.#withWords(query, [...words, ...wordsOf(inTitles(query.search))], known)
    if (found === null) return null
    const sets = found.map(({ rows }) => rows)
    const [first = NumberSet.of([]), ...others] = sets
      .slice(0, words.length)
      .sort((one, other) => one.size - other.size)
    return {
      rows: others.reduce((rows, other) => rows.and(other), first),
      inTitle: sets.slice(words.length),
      since: Math.min(...found.map(({ since }) => since)),
    }
  }

  async #withWords(view: View, words: readonly SearchWord[], known: Known): Promise<Found[] | null> {
    const all: Found[] = []
    for (const word of words) {
      const found = await this.#withWord(view, word, known)
      if (found === null) return null
      all.push(found)
    }
    return all.length === 0 ? null : all
  }

  async #withWord(view: View, word: SearchWord, known: Known): Promise<Found | null> {
    const key = `${scopeKey(view)} ${statesOf(view)} ${word.isBeginning} ${word.forms.join(' ')}`
    const asked = known.changes.now
    for (;;) {
      const cached = this.#found.get(key)
      if (cached !== undefined && cached.since >= asked) return cached
      const found = await this.#current(view, word, known, cached)
      // Otherwise another search has brought it up to date meanwhile, maybe further.
      if (this.#found.get(key) !== cached) continue
      if (found !== null) this.#found.set(key, found, found.rows.bytes)
      return found
    }
  }

  async #current(view: View, word: SearchWord, known: Known, cached: Found | undefined): Promise<Found | null> {
    const since = known.changes.now
    const changed = cached === undefined ? null : known.changes.rowsSince(view, cached.since)
    if (cached !== undefined && changed !== null && changed.length <= MOST_CHANGES) {
      return { rows: await followed(cached.rows, changed, { view, word, recent: known.recent }), since }
    }
    const unindexed = known.changes.rowsSince(view, known.recent.indexed)
    if (unindexed === null) return null
    const search = { words: [word.forms], isPrefix: word.isBeginning }
    const rows = await this.#rows({ ...viewOf(view), conditions: [], search })
    return { rows: await followed(rows, unindexed, { view, word, recent: known.recent }), since }
  }

  /** By the index, and by what the query says of those that it does not hold yet. */
  async #read(query: Search): Promise<Hits> {
    const rows = await this.#rows(query)
    return { rows, inTitle: [await this.#rows({ ...query, search: inTitles(query.search) })], since: null }
  }

  async #rows(query: Filter): Promise<NumberSet> {
    const statements = new QuerySql(query, this.#connection.dialect)
    const [found] = await this.#connection.varied(statements.matchingRows())
    return NumberSet.of(rowsOf(found?.rows))
  }
}

/** See `SearchHits`. */
export async function newSearchHits(connection: Connection, changes: () => Changes | null): Promise<SearchHits> {
  return new SearchHits(connection, changes)
}

/** The newest hits of a page, and of so many of them first those that have all words in the title. */
function pageOf({ rows, inTitle }: Hits, offset: number, limit: number): number[] {
  const size = limit === 0 ? 1 : Math.max(1, Math.floor(RANKED / limit)) * limit
  const start = Math.floor(offset / size) * size
  const newest = rows.highest(size, start)
  const first = titledOf(newest, inTitle)
  const from = offset - start
  const page = first.slice(from, from + limit)
  if (page.length === limit) return page
  const isFirst = new Set(first)
  let skipped = Math.max(0, from - first.length)
  for (const row of newest) {
    if (isFirst.has(row) || skipped-- > 0) continue
    page.push(row)
    if (page.length === limit) break
  }
  return page
}

/** Those of the newest hits that have all words in the title, which few have. */
function titledOf(newest: readonly number[], inTitle: readonly NumberSet[]): number[] {
  const [fewest, ...others] = inTitle.toSorted((one, other) => one.size - other.size)
  const [highest, lowest] = [newest[0], newest.at(-1)]
  if (fewest === undefined || highest === undefined || lowest === undefined) return []
  const titled = fewest.between(lowest, highest)
  return titled.filter((row) => others.every((other) => other.has(row)))
}

function viewOf({ type, locale, mode, archived, visibility }: View): View {
  return { type, locale, mode, archived, visibility }
}

/** The rows with a word after some documents were changed. */
async function followed(
  rows: NumberSet,
  changed: readonly number[],
  { view, word, recent }: { readonly view: View; readonly word: SearchWord; readonly recent: RecentWords },
): Promise<NumberSet> {
  if (changed.length === 0) return rows
  const documents = await recent.of(view, changed)
  const isFound = (row: number) => {
    const document = documents.get(row)
    return document !== undefined && isShownTo(view, document) && holdsWord(document, word)
  }
  return rows.changed(new Map(changed.map((row) => [row, isFound(row)])))
}
