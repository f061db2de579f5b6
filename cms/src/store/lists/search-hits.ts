import { NumberSet } from '../../base/number-set.ts'
import { waitForTurn } from '../../base/turns.ts'
import { type Followed, FollowingCache } from '../changes/following-cache.ts'
import { type Connection, Repository } from '../database/connection.ts'
import { statesOf } from '../database/index-keys.ts'
import { scopeKey } from '../database/rows.ts'
import type { Changes } from '../terms/changes.ts'
import type { Filter, View } from '../terms/document-query.ts'
import {
  holdsWord,
  isShownTo,
  type RecentWords,
  rankedSearches,
  type SearchQuery,
  type SearchWord,
  wordsOf,
} from '../terms/search-query.ts'
import { QuerySql, rowsOf } from './list-query.ts'

/** The hits of a search, and the last commit that it knows of; null where that cannot be known. */
interface Hits {
  readonly rows: NumberSet
  /** The hits of each rank, best first. */
  readonly ranks: readonly NumberSet[]
  readonly since: number | null
}

/** The documents of a view that have some words. */
interface Matches {
  readonly rows: NumberSet
  readonly since: number
}

/** The parts of a search that the index lacks: the changes of documents, and the words of those that changed. */
interface RecentChanges {
  readonly changes: Changes
  readonly recent: RecentWords
}

/** A search of a view for documents that have all of these words. */
interface WordSearch extends RecentChanges {
  readonly view: View
  readonly words: readonly SearchWord[]
}

type Search = Filter & { readonly search: SearchQuery }
type SearchPage = Search & { readonly offset: number; readonly limit: number }

/** The cost of following changes, in row numbers that are read from the index in that time. */
const COSTS = { statement: 1000, look: 20, read: 3000 } as const
/** How many hits are read at a time, in two or three milliseconds. */
const PART = 8000
/**
 * After a part that takes this many µs of processor time, the rest is read at once: in older databases, which lack
 * indexes of beginnings, a part of what begins so takes as long as all of it.
 */
const LONGEST_PART = 30_000
/** The memory for searches of several words, as a part of that for single words. */
const SEVERAL = 1 / 4
/** How many of the newest hits are ranked at a time, however many there are. */
const RANKED = 500

/**
 * Finds what has all words of a search. For each word that is searched, and for several together, the row numbers of
 * the documents that have them are cached. They follow commits by the words of the changed documents, whatever the
 * index holds.
 */
export class SearchHits extends Repository {
  readonly #changes: () => Changes | null
  readonly #withWord = new FollowingCache<NumberSet | null>((rows) => rows?.bytes ?? 0)
  /** Apart from those with one word, which they are made of and may not drive out. */
  readonly #withSeveral = new FollowingCache<NumberSet | null>((rows) => rows?.bytes ?? 0, SEVERAL)

  /** `changes` as the store's: null while nothing may be answered from memory. */
  constructor(connection: Connection, changes: () => Changes | null) {
    super(connection)
    this.#changes = changes
  }

  /** The hits of a page by relevance, with all that was committed before the call; `skipsCache`: read from the index. */
  async page(query: SearchPage, skipsCache: boolean) {
    const hits = await this.#find(query, skipsCache)
    return { rows: pageOf(hits, query.offset, query.limit), total: hits.rows.size, since: hits.since }
  }

  async #find(query: Search, skipsCache: boolean): Promise<Hits> {
    const { recent } = query.search
    const isPlain = query.conditions.length === 0 && query.docIds === undefined
    const changes = isPlain && recent && !skipsCache ? this.#changes() : null
    return (changes && recent && (await this.#follow(query, { changes, recent }))) ?? this.#read(query)
  }

  /** Returns the hits of a search; null where changes are not known any more. */
  async #follow(query: Search, recentChanges: RecentChanges): Promise<Hits | null> {
    const found: Matches[] = []
    for (const search of [query.search, ...rankedSearches(query.search)]) {
      const matches = await this.#withAll({ view: query, words: wordsOf(search), ...recentChanges })
      if (matches === null) return null
      found.push(matches)
      if (isRanked(found.map((one) => one.rows))) break
    }
    const [rows = NumberSet.of([]), ...ranks] = found.map((matches) => matches.rows)
    return { rows, ranks, since: Math.min(...found.map(({ since }) => since)) }
  }

  /** Returns the documents with all words; null where changes are not known any more, and for no words. */
  async #withAll(search: WordSearch): Promise<Matches | null> {
    const { view, words, changes } = search
    if (words.length === 0) return null
    const update = (cached?: Followed<NumberSet | null>) => this.#current(search, cached)
    const cache = words.length === 1 ? this.#withWord : this.#withSeveral
    const { value: rows, since } = await cache.find(keyOf(view, words), changes, update)
    return rows === null ? null : { rows, since }
  }

  /** Returns the documents with the words now; null where changes are not known any more. */
  async #current(search: WordSearch, cached: Followed<NumberSet | null> | undefined): Promise<NumberSet | null> {
    const { view, words, changes } = search
    const changed = cached?.value ? changes.rowsSince(view, cached.since) : null
    if (cached?.value && changed !== null && (await isFollowed(cached.value, changed, search))) {
      return followed(cached.value, changed, search)
    }
    const [word, ...others] = words
    return word === undefined || others.length > 0 ? this.#common(search) : this.#indexed(search, word)
  }

  /** The documents that have all words; null where changes are not known any more. */
  async #common(search: WordSearch): Promise<NumberSet | null> {
    const sets: NumberSet[] = []
    for (const word of search.words) {
      const found = await this.#withAll({ ...search, words: [word] })
      if (found === null) return null
      sets.push(found.rows)
    }
    const [fewest = NumberSet.of([]), ...others] = sets.sort((one, other) => one.size - other.size)
    return others.reduce((rows, other) => rows.and(other), fewest)
  }

  /** The documents that have a word, by the index and by the changes that it lacks; null where those are not known any more. */
  async #indexed(search: WordSearch, word: SearchWord): Promise<NumberSet | null> {
    const { view, changes, recent } = search
    const unindexed = changes.rowsSince(view, recent.indexed)
    if (unindexed === null) return null
    const rows = await this.#rowsWith(view, word)
    const [highest = 0] = rows.highest(1)
    this.#withWord.allowFor(highest)
    this.#withSeveral.allowFor(highest)
    return followed(rows, unindexed, search)
  }

  /**
   * The rows that the index has for a word: part by part, so that a frequent word keeps nobody else waiting. What is
   * committed between parts is followed afterwards.
   */
  async #rowsWith(view: View, { forms, isBeginning }: SearchWord): Promise<NumberSet> {
    const query = { ...viewOf(view), conditions: [], search: { words: [forms], isPrefix: isBeginning } }
    const statements = new QuerySql(query, this.dialect)
    let found = NumberSet.of([])
    for (let [last, count] = [-1, PART]; ; ) {
      const statement = statements.hitsAfter(last, count)
      if (statement === null) return this.#rows(query)
      const before = process.cpuUsage()
      const [part] = await this.connection.varied(statement)
      const rows = rowsOf(part?.rows)
      found = found.with(NumberSet.of(rows))
      if (rows.length < count) return found
      if (isBeginning && process.cpuUsage(before).user > LONGEST_PART) count = Number.MAX_SAFE_INTEGER
      last = rows.at(-1) ?? last
      await waitForTurn()
    }
  }

  /** Finds by the index, and by the matches of the query among documents that it does not hold yet. */
  async #read(query: Search): Promise<Hits> {
    const found = [await this.#rows(query)]
    for (const search of rankedSearches(query.search)) {
      if (isRanked(found)) break
      found.push(await this.#rows({ ...query, search }))
    }
    const [rows = NumberSet.of([]), ...ranks] = found
    return { rows, ranks, since: null }
  }

  async #rows(query: Filter): Promise<NumberSet> {
    const statements = new QuerySql(query, this.dialect)
    const [found] = await this.connection.varied(statements.matchingRows())
    return NumberSet.of(rowsOf(found?.rows))
  }
}

/** Whether the hits need no further ranks: there is one at most, or all are of the last rank. */
function isRanked([hits, ...ranks]: readonly NumberSet[]): boolean {
  return hits !== undefined && (hits.size < 2 || ranks.at(-1)?.size === hits.size)
}

/** The newest hits of a page; among the ranked ones, those of better ranks come first. */
function pageOf({ rows, ranks }: Hits, offset: number, limit: number): number[] {
  const size = limit === 0 ? 1 : Math.max(1, Math.floor(RANKED / limit)) * limit
  const start = Math.floor(offset / size) * size
  const page: number[] = []
  let skipped = offset - start
  for (const row of ranked(rows.highest(size, start), ranks)) {
    if (page.length === limit) break
    if (skipped-- <= 0) page.push(row)
  }
  return page
}

/** Some of the newest hits, those of better ranks first. */
function* ranked(newest: readonly number[], ranks: readonly NumberSet[]): Generator<number> {
  const [highest, lowest] = [newest[0], newest.at(-1)]
  if (highest === undefined || lowest === undefined) return
  const seen = new Set<number>()
  for (const rank of ranks) {
    for (const row of rank.between(lowest, highest)) {
      if (!seen.has(row)) yield row
      seen.add(row)
    }
  }
  for (const row of newest) if (!seen.has(row)) yield row
}

function keyOf(view: View, words: readonly SearchWord[]): string {
  const texts = words.map(({ forms, isBeginning }) => `${isBeginning} ${forms.join(' ')}`)
  return [scopeKey(view), statesOf(view), ...texts].join()
}

function viewOf({ type, locale, mode, archived, visibility }: View): View {
  return { type, locale, mode, archived, visibility }
}

/** Whether following changes is cheaper than reading the rows again. */
async function isFollowed(rows: NumberSet, changed: readonly number[], { view, recent }: WordSearch): Promise<boolean> {
  const { statement, look, read } = COSTS
  const allowed = statement + rows.size - look * changed.length
  if (changed.length === 0 || allowed < 0) return changed.length === 0
  return read * (await recent.unread(view, changed)) <= allowed
}

/** The rows after some documents were changed. */
async function followed(
  rows: NumberSet,
  changed: readonly number[],
  { view, words, recent }: WordSearch,
): Promise<NumberSet> {
  if (changed.length === 0) return rows
  const documents = await recent.of(view, changed)
  const isFound = (row: number) => {
    const document = documents.get(row)
    return document !== undefined && isShownTo(view, document) && words.every((word) => holdsWord(document, word))
  }
  return rows.changed(new Map(changed.map((row) => [row, isFound(row)])))
}
