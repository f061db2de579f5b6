import { setTimeout as pause } from 'node:timers/promises'
import {
  type DocumentWords,
  type RecentWords,
  type SearchQuery,
  unindexedMatches,
  type View,
} from '../../store/contract/store.ts'
import type { Context } from '../context.ts'
import { recentWords, unreadWords, wordsOf } from './document-words.ts'
import type { ListRequest } from './find.ts'
import { indexedUpTo, refreshSearch, waitingFor } from './search-index.ts'

/** How long a search waits for the index, in milliseconds; then what is not indexed yet is matched beside it. */
const SEARCH_PATIENCE = 250
/** How many are matched beside the index at most. With more, a search waits for it, unless it cannot be written. */
const MOST_BESIDE = 500
/** How many documents of a list need not be indexed before it is searched. */
const MOST_RECENT = 100

/**
 * A list whose search finds all that was committed before the call. A search needs no write: what was saved lately is
 * matched beside the index, by its own words. So is more, where the index cannot be brought up to date at once, since
 * the database is locked, full or read-only.
 */
export async function withFreshSearch(ctx: Context, request: ListRequest): Promise<ListRequest> {
  const { search, view } = request
  if (search === null) return request
  const recent = (await withRecent(ctx, view, search)) ?? (await withRefreshed(ctx, view, search))
  return { ...request, search: recent }
}

/** Null where too much was saved since the index was brought up to date, or that is unknown. */
async function withRecent(ctx: Context, view: View, search: SearchQuery): Promise<SearchQuery | null> {
  const indexed = indexedUpTo(ctx.store)
  const rows = indexed === null ? null : (ctx.store.changes()?.rowsSince(view, indexed) ?? null)
  if (indexed === null || rows === null || rows.length > MOST_RECENT) return null
  const of: RecentWords['of'] = (scope, rows) => recentWords(ctx, scope, rows)
  const recent: RecentWords = { indexed, of, unread: (scope, rows) => unreadWords(ctx, scope, rows) }
  return {
    ...search,
    recent,
    ...(rows.length > 0 && { unindexed: unindexedMatches(await of(view, rows), rows, search) }),
  }
}

async function withRefreshed(ctx: Context, view: View, search: SearchQuery): Promise<SearchQuery> {
  const refreshed = refreshSearch(ctx).then(
    () => true,
    () => false,
  )
  const patience = new AbortController()
  const late = pause(SEARCH_PATIENCE, false, { signal: patience.signal }).catch(() => false)
  const isFresh = await Promise.race([refreshed, late])
  patience.abort()
  if (isFresh) return (await withRecent(ctx, view, search)) ?? search
  const { isAll, rows, words } = await waitingWords(ctx, view)
  if (!isAll && (await refreshed)) return search
  return { ...search, unindexed: unindexedMatches(words, rows, search) }
}

/** The words of what waits for the index, of one list. */
async function waitingWords(ctx: Context, view: View) {
  const rows: number[] = []
  const words = new Map<number, DocumentWords>()
  let count = 0
  for await (const { waiting } of waitingFor(ctx)) {
    if (count >= MOST_BESIDE) return { rows, words, isAll: false }
    count += waiting.length
    const copies = waiting.filter(({ document: { type, id } }) => {
      return type === view.type && id.locale === view.locale && id.mode === view.mode
    })
    for (const one of await wordsOf(ctx, copies)) {
      rows.push(one.row)
      words.set(one.row, one.searched)
    }
  }
  return { rows, words, isAll: true }
}
