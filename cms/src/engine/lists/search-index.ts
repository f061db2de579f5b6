import { setTimeout as pause } from 'node:timers/promises'
import { CmsError } from '../../base/errors.ts'
import { late } from '../../base/late.ts'
import {
  besideOf,
  type DocumentWords,
  type RecentWords,
  type SearchQuery,
  type SearchWords,
  type Store,
  type StoredDocument,
  type View,
} from '../../store/store.ts'
import type { Context } from '../context.ts'
import type { Words } from './document-words.ts'
import type { ListRequest } from './find.ts'

const wordsOf = late(() => import('./document-words.ts'), 'wordsOf')
const recentWords = late(() => import('./document-words.ts'), 'recentWords')
const unreadWords = late(() => import('./document-words.ts'), 'unreadWords')
const noteWords = late(() => import('./document-words.ts'), 'noteWords')
const logUnindexed = late(() => import('./document-words.ts'), 'logUnindexed')

/** How many documents are indexed in one transaction, at most. */
const BATCH = 100

/** The indexing passes of a store: the one under way, and the one that follows it. */
interface Passes {
  running: Promise<void> | null
  next: Promise<void> | null
  /** The last commit, as `Changes` counts them, up to which everything is indexed; null where that is unknown. */
  indexed: number | null
}
const passes = new WeakMap<Store, Passes>()

function passesOf(store: Store): Passes {
  const known = passes.get(store)
  if (known !== undefined) return known
  const none = { running: null, next: null, indexed: null }
  passes.set(store, none)
  return none
}

/** How long a search waits for the index, in milliseconds; then what is not indexed yet is matched beside it. */
const SEARCH_PATIENCE = 250
/** At most so many batches are matched beside the index. With more, a search waits for it, unless it cannot be written. */
const BESIDE_BATCHES = 5
/** Of a list, so many documents need not be indexed before it is searched. */
const MOST_RECENT = 100

/**
 * A list whose search finds all that was committed before the call. A search needs no write: what was saved lately is
 * matched beside the index, by its own words. So is more, where the index cannot be brought up to date at once, since the
 * database is locked, full or read-only.
 */
export async function withFreshSearch(ctx: Context, request: ListRequest): Promise<ListRequest> {
  const { search, view } = request
  if (search === null) return request
  const recent = (await withRecent(ctx, view, search)) ?? (await withRefreshed(ctx, view, search))
  return { ...request, search: recent }
}

/** Null where too much was saved since the index was brought up to date, or that is unknown. */
async function withRecent(ctx: Context, view: View, search: SearchQuery): Promise<SearchQuery | null> {
  const { indexed } = passesOf(ctx.store)
  const rows = indexed === null ? null : (ctx.store.changes()?.rowsSince(view, indexed) ?? null)
  if (indexed === null || rows === null || rows.length > MOST_RECENT) return null
  const of: RecentWords['of'] = (scope, rows) => recentWords(ctx, scope, rows)
  const recent: RecentWords = { indexed, of, unread: (scope, rows) => unreadWords(ctx, scope, rows) }
  return { ...search, recent, ...(rows.length > 0 && { beside: besideOf(await of(view, rows), rows, search) }) }
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
  return { ...search, beside: besideOf(words, rows, search) }
}

/** The words of what waits for the index, of one list. */
async function waitingWords(ctx: Context, view: View) {
  const rows: number[] = []
  const words = new Map<number, DocumentWords>()
  let batches = 0
  for await (const { waiting } of waitingFor(ctx)) {
    batches += 1
    if (batches > BESIDE_BATCHES) return { rows, words, isAll: false }
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

/**
 * Brings the search index up to date with all that was committed before the call: saves only leave a note. There is one
 * pass at a time: all who ask while one goes on share the next one.
 */
export function refreshSearch(ctx: Context): Promise<void> {
  const state = passesOf(ctx.store)
  if (state.running === null) return start(ctx, state)
  state.next ??= state.running.then(
    () => start(ctx, state),
    () => start(ctx, state),
  )
  return state.next
}

function start(ctx: Context, state: Passes): Promise<void> {
  state.next = null
  state.running = indexWaiting(ctx, state).finally(() => {
    if (state.next === null) state.running = null
  })
  return state.running
}

/** Indexes once what waits; what is saved again meanwhile waits for the next pass. */
async function indexWaiting(ctx: Context, state: Passes): Promise<void> {
  const begun = ctx.store.changes()?.now ?? null
  for await (const { since, waiting } of waitingFor(ctx)) {
    const words = await wordsOf(ctx, waiting)
    await putWords(ctx, words)
    if (since !== null) await noteWords(ctx, since, words)
  }
  state.indexed = begun
}

interface Batch {
  readonly since: number | null
  readonly waiting: readonly StoredDocument[]
}

/** What waits for the index, in batches that are small in bytes, too, and the last commit that was known before each. */
async function* waitingFor({ store }: Context): AsyncGenerator<Batch> {
  for (let row = 0; ; ) {
    const since = store.changes()?.now ?? null
    const waiting = await store.documents.unsearched(row, BATCH)
    const last = waiting.at(-1)
    if (last === undefined) return
    yield { since, waiting }
    row = last.row
  }
}

/** If the database refuses the words, documents are indexed one by one, and those still refused without words. */
async function putWords(ctx: Context, rows: readonly Words[]): Promise<void> {
  try {
    await put(ctx, rows)
  } catch (error) {
    if (error instanceof CmsError) throw error
    for (const one of rows) await putAlone(ctx, one)
  }
}

async function putAlone(ctx: Context, one: Words): Promise<void> {
  try {
    await put(ctx, [one])
  } catch (error) {
    if (error instanceof CmsError) throw error
    await logUnindexed(ctx, one.document.id, error)
    await put(ctx, [{ ...one, words: '' }])
  }
}

function put(ctx: Context, rows: readonly SearchWords[]): Promise<void> {
  return ctx.store.transaction((tx) => tx.documents.putSearchWords(rows))
}

/** How often to check whether saved documents wait for the index, in milliseconds. */
const LOOK = 250
/** While one save follows the other, indexing waits, but no longer than this many milliseconds. */
const PATIENCE = 5_000

/**
 * Indexes saved documents in the background, so that the first search after many saves is quick: when there is nothing
 * else to save, since a document that is saved again is to be indexed again. Of several processes on one machine, one is
 * enough: `isActive` says whether it is this one at present.
 */
export function startSearchRefresh(ctx: Context, isActive = () => true): { stop(): Promise<void> } {
  let running: Promise<void> = Promise.resolve()
  let indexed: string | null = null
  let seen: string | null = null
  let due = 0
  const look = () => {
    if (!isActive()) return
    const revision = ctx.store.revision()
    if (revision !== null && revision === indexed) return
    if (seen === indexed) due = Date.now() + PATIENCE
    const isQuiet = revision === seen
    seen = revision
    if (!isQuiet && Date.now() < due) return
    indexed = revision
    running = running
      .then(() => refreshSearch(ctx))
      .catch((error: unknown) => {
        indexed = null
        ctx.log.error({ error }, 'The search index could not be brought up to date.')
      })
  }
  const timer = setInterval(look, LOOK)
  timer.unref()
  return {
    stop: async () => {
      clearInterval(timer)
      await running
    },
  }
}
