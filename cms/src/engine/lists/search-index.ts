import type { Store } from '../../store/store.ts'
import type { Context } from '../context.ts'
import { indexedWords } from './search.ts'

/** How many documents are indexed in one transaction. */
const BATCH = 200

/** What goes on in each store: the pass under way, and the one that follows it. */
interface Passes {
  running: Promise<void> | null
  next: Promise<void> | null
}
const passes = new WeakMap<Store, Passes>()

/**
 * Brings the search index up to date with all that was committed before the call: saves only leave a mark. Before every
 * search, so that none is stale. There is one pass at a time: all who ask while one goes on share the next one.
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
