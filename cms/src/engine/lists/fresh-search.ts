import { setTimeout as pause } from 'node:timers/promises'
import { type DocumentWords, type RecentWords, unindexedMatches, type View } from '../../store/contract/store.ts'
import type { Context } from '../context.ts'
import { isInScope } from '../view.ts'
import { recentWords, unreadWords, wordsOf } from './document-words.ts'
import type { ListRequest, ListSearch } from './find.ts'
import { indexedUpTo, refreshSearch, waitingFor } from './search-index.ts'

/** Milliseconds that a search waits for the index; then unindexed documents are matched by their own words. */
const SEARCH_PATIENCE = 250
/** The most unindexed documents that are matched. With more, a search waits for the index, if it can be written. */
const MOST_UNINDEXED = 500
/** How many documents of a list need not be indexed before it is searched. */
const MOST_RECENT = 100

/**
 * Returns a list whose search finds everything committed before the call. A search needs no write: documents saved
 * lately are matched by their own words; so are more, when the index cannot be updated at once, since the database is
 * locked, full or read-only.
 */
export async function withFreshSearch(ctx: Context, request: ListRequest): Promise<ListRequest> {
  const { search, view } = request
  if (search === null) return request
  const recent = (await withRecent(ctx, view, search)) ?? (await withRefreshed(ctx, view, search))
  return { ...request, search: recent }
}

/** Adds unindexed documents; null when too many were saved since the index was updated, or that is unknown. */
async function withRecent(ctx: Context, view: View, search: ListSearch): Promise<ListSearch | null> {
  const indexed = indexedUpTo(ctx.store)
  const rows = indexed === null ? null : (ctx.store.changes()?.rowsSince(view, indexed) ?? null)
  if (indexed === null || rows === null || rows.length > MOST_RECENT) return null
  const of: RecentWords['of'] = (scope, rows) => recentWords(ctx, scope, rows)
  const recent: RecentWords = { indexed, of, unread: (scope, rows) => unreadWords(ctx, scope, rows) }
  return rows.length === 0 ? { ...search, recent } : { ...withWaiting(search, rows, await of(view, rows)), recent }
}

/** Adds documents that the index does not hold as they are now. */
function withWaiting(
  search: ListSearch,
  rows: readonly number[],
  documents: ReadonlyMap<number, DocumentWords>,
): ListSearch {
  return { ...search, waiting: { rows, documents }, unindexed: unindexedMatches(documents, rows, search) }
}

async function withRefreshed(ctx: Context, view: View, search: ListSearch): Promise<ListSearch> {
  const refreshed = refreshSearch(ctx).catch(() => false)
  const patience = new AbortController()
  const late = pause(SEARCH_PATIENCE, false, { signal: patience.signal }).catch(() => false)
  const isFresh = await Promise.race([refreshed, late])
  patience.abort()
  if (isFresh) return (await withRecent(ctx, view, search)) ?? search
  const { isAll, rows, words } = await waitingWords(ctx, view)
  if (!isAll && (await refreshed)) return search
  return withWaiting(search, rows, words)
}

/** The words of what waits for the index, of one list. */
async function waitingWords(ctx: Context, view: View) {
  const rows: number[] = []
  const words = new Map<number, DocumentWords>()
  let count = 0
  for await (const { waiting } of waitingFor(ctx)) {
    if (count >= MOST_UNINDEXED) return { rows, words, isAll: false }
    count += waiting.length
    const copies = waiting.filter(({ document }) => isInScope(view, document))
    for (const one of await wordsOf(ctx, copies)) {
      rows.push(one.row)
      words.set(one.row, one.searched)
    }
  }
  return { rows, words, isAll: true }
}
