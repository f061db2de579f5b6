import { setTimeout as pause } from 'node:timers/promises'
import {
  type Beside,
  boosted,
  type SearchQuery,
  type Store,
  type StoredDocument,
  type View,
} from '../../store/store.ts'
import type { Context } from '../context.ts'
import type { ListRequest } from './find.ts'
import { indexedWords } from './search.ts'

/** How many documents are indexed in one transaction. */
const BATCH = 200

/** What goes on in each store: the pass under way, and the one that follows it. */
interface Passes {
  running: Promise<void> | null
  next: Promise<void> | null
}
const passes = new WeakMap<Store, Passes>()

/** How long a search waits for the index, in milliseconds; then what is not indexed yet is matched beside it. */
const SEARCH_PATIENCE = 250
/** So many documents are matched beside the index at most, unless it cannot be written at all. */
const BESIDE = 500

/**
 * A list whose search finds all that was committed before the call. A search needs no write: where the index cannot be
 * brought up to date at once, since the database is locked, full or read-only, it is answered without.
 */
export async function withFreshSearch(ctx: Context, request: ListRequest): Promise<ListRequest> {
  const { search, view } = request
  if (search === null) return request
  const refreshed = refreshSearch(ctx).then(
    () => true,
    () => false,
  )
  const patience = new AbortController()
  const late = pause(SEARCH_PATIENCE, false, { signal: patience.signal }).catch(() => false)
  const isFresh = await Promise.race([refreshed, late])
  patience.abort()
  if (isFresh) return request
  const waiting = await ctx.store.documents.unsearched(0, BESIDE + 1)
  if (waiting.length > BESIDE && (await refreshed)) return request
  return { ...request, search: { ...search, beside: besideOf(ctx, view, search, waiting) } }
}

function besideOf(ctx: Context, view: View, search: SearchQuery, waiting: readonly StoredDocument[]): Beside {
  const copies = waiting.filter(({ document: { type, id } }) => {
    return type === view.type && id.locale === view.locale && id.mode === view.mode
  })
  const found = copies.flatMap(({ row, document }) => {
    const type = ctx.site.types.get(document.type)
    const words = new Set(type ? indexedWords(type, document).split(' ') : [])
    if (!hasAll(words, search.words, search.isPrefix)) return []
    const inTitle = search.words.map((forms) => forms.map(boosted))
    return [{ row, isBoosted: hasAll(words, inTitle, search.isPrefix) }]
  })
  return { rows: copies.map(({ row }) => row), found }
}

/** Whether a document has each of the words in one of its forms, the last one by its beginning. */
function hasAll(words: ReadonlySet<string>, searched: SearchQuery['words'], isPrefix: boolean): boolean {
  return searched.every((forms, index) => {
    if (forms.some((form) => words.has(form))) return true
    if (!isPrefix || index < searched.length - 1) return false
    return [...words].some((word) => forms.some((form) => word.startsWith(form)))
  })
}

/**
 * Brings the search index up to date with all that was committed before the call: saves only leave a note. There is one
 * pass at a time: all who ask while one goes on share the next one.
 */
export function refreshSearch(ctx: Context): Promise<void> {
  const state = passes.get(ctx.store) ?? { running: null, next: null }
  passes.set(ctx.store, state)
  if (state.running === null) return start(ctx, state)
  state.next ??= state.running.then(
    () => start(ctx, state),
    () => start(ctx, state),
  )
  return state.next
}

function start(ctx: Context, state: Passes): Promise<void> {
  state.next = null
  state.running = indexWaiting(ctx).finally(() => {
    if (state.next === null) state.running = null
  })
  return state.running
}

/** Goes once through what waits; what is saved again behind its back waits for the next pass. */
async function indexWaiting(ctx: Context): Promise<void> {
  for (let row = 0, isDone = false; !isDone; ) {
    const waiting = await ctx.store.documents.unsearched(row, BATCH)
    const rows = waiting.map(({ row, document }) => {
      const type = ctx.site.types.get(document.type)
      return { row, revision: document.revision, words: type ? indexedWords(type, document) : '' }
    })
    if (rows.length > 0) await ctx.store.transaction((tx) => tx.documents.putSearchWords(rows))
    row = waiting.at(-1)?.row ?? row
    isDone = waiting.length < BATCH
  }
}

/** How often to look whether saved documents wait for the index, in milliseconds. */
const LOOK = 250
/** While one save follows the other, indexing waits, but no longer than this many milliseconds. */
const PATIENCE = 5_000

/**
 * Indexes saved documents in the background, so that the first search after many saves is quick: when there is nothing
 * else to save, since a document that is saved again is to be indexed again.
 */
export function startSearchRefresh(ctx: Context): { stop(): Promise<void> } {
  let running: Promise<void> = Promise.resolve()
  let indexed: string | null = null
  let seen: string | null = null
  let due = 0
  const look = () => {
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
