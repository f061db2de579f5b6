import { oncePer } from '../../base/lazy.ts'
import { restAfter, waitForTurn } from '../../base/turns.ts'
import type { Store, StoredDocument, TakenValue } from '../../store/contract/store.ts'
import type { Context } from '../context.ts'
import { recordWords, type Words, wordsOf } from './document-words.ts'
import {
  DeclarationsChanged,
  forgetSpellings,
  INDEX_BATCH,
  indexAlone,
  indexTogether,
  mergeIndex,
  warnOfTaken,
} from './index-documents.ts'

/** After how many batches what they have written is merged. */
const BATCHES_TO_MERGE = 4
/** How long a document waits, in milliseconds, until a process of a former site indexes it as well as it can. */
const LEFT_TO_OTHERS = 60_000
/** How many times as long as a step the pause after it is, while content is written. */
const WRITERS_SHARE = 4

/** The indexing passes of a store: the one under way, and the one that follows it. */
interface Passes {
  running: Promise<boolean> | null
  next: Promise<boolean> | null
  /** How many callers wait for them. */
  waiting: number
  /** See `indexedUpTo`. */
  indexed: number | null
  /** The content of the store after the last step; null where that is unknown. */
  revision: string | null
  /** The rows that a process of a former site leaves to others, and since when; in milliseconds. */
  leftToOthers: ReadonlyMap<number, number>
}

const passesOf = oncePer((_store: Store): Passes => {
  return { running: null, next: null, waiting: 0, indexed: null, revision: null, leftToOthers: new Map() }
})

/** The last commit, as `Changes` counts them, up to which everything is indexed; null where that is unknown. */
export function indexedUpTo(store: Store): number | null {
  return passesOf(store).indexed
}

/**
 * Brings the search index up to date with all that was committed before the call: saves only leave a note. There is one
 * pass at a time: all who ask while one goes on share the next one. Returns false in a process of a former site, which
 * leaves this to those of the site for which the index is made.
 */
export async function refreshSearch(ctx: Context): Promise<boolean> {
  const state = passesOf(ctx.store)
  state.waiting += 1
  try {
    return await refresh(ctx, state)
  } finally {
    state.waiting -= 1
  }
}

function refresh(ctx: Context, state: Passes): Promise<boolean> {
  if (state.running === null) return start(ctx, state)
  state.next ??= state.running.catch(() => {}).then(() => start(ctx, state))
  return state.next
}

function start(ctx: Context, state: Passes): Promise<boolean> {
  state.next = null
  state.running = indexWaiting(ctx, state)
    .catch((error: unknown) => {
      if (error instanceof DeclarationsChanged) return false
      throw error
    })
    .finally(() => {
      if (state.next === null) state.running = null
    })
  return state.running
}

/**
 * Indexes once what waits; what is saved again meanwhile waits for the next pass. What others have locked is waited for
 * at the end, one by one: nothing else waits for it.
 */
async function indexWaiting(ctx: Context, state: Passes): Promise<boolean> {
  const changes = ctx.store.changes()
  const begun = changes?.now ?? null
  // Anything may have changed: another server may have taken the place of the former one.
  if (state.indexed !== null && changes?.areUnchanged([], state.indexed) !== true) forgetSpellings(ctx.store)
  const isCurrent = await ctx.content.isCurrent(ctx.store)
  const indexing = { isRebuilt: false, isCurrent }
  const isDue = isCurrent ? () => true : longWaiting(ctx, state)
  const left: Words[] = []
  const taken: TakenValue[] = []
  const restFrom = (began: number) => rest(ctx, state, began)
  let batches = 0
  let began = performance.now()
  for await (const { since, waiting } of waitingFor(ctx)) {
    const words = await wordsOf(ctx, waiting.filter(isDue))
    if (words.length === 0) continue
    const indexed = await indexTogether(ctx, words, indexing)
    left.push(...indexed.left)
    taken.push(...indexed.taken)
    if (since !== null) recordWords(ctx, since, words)
    batches += 1
    await restFrom(began)
    if (batches % BATCHES_TO_MERGE === 0) await mergeIndex(ctx, restFrom)
    began = performance.now()
  }
  for (const one of left) taken.push(...(await indexAlone(ctx, one, indexing)))
  warnOfTaken(ctx, taken)
  if (isCurrent) state.indexed = begun
  if (batches % BATCHES_TO_MERGE > 0) await mergeIndex(ctx, restFrom)
  return isCurrent
}

/** Which documents have waited for longer than processes of the present site need, according to this and former passes. */
function longWaiting(ctx: Context, state: Passes): (document: StoredDocument) => boolean {
  const now = ctx.now().getTime()
  const [before, after] = [state.leftToOthers, new Map<number, number>()]
  state.leftToOthers = after
  return ({ row }) => {
    const since = before.get(row) ?? now
    after.set(row, since)
    return now - since >= LEFT_TO_OTHERS
  }
}

/**
 * Waits after a step, so that others have as long as it took, and several times as long while content is written; when
 * somebody waits for the pass, only those who are there already.
 */
async function rest({ store }: Context, state: Passes, began: number): Promise<void> {
  if (state.waiting > 0) return waitForTurn()
  const revision = store.revision()
  const isWritten = revision !== state.revision
  state.revision = revision
  await restAfter(began, isWritten ? WRITERS_SHARE : 1)
}

interface Batch {
  readonly since: number | null
  readonly waiting: readonly StoredDocument[]
}

/**
 * Reads the documents that wait to be indexed, in batches small in bytes, each with the last commit known before it.
 */
export async function* waitingFor({ store }: Context): AsyncGenerator<Batch> {
  for (let row = 0; ; ) {
    const since = store.changes()?.now ?? null
    const waiting = await store.documents.unsearched(row, INDEX_BATCH)
    const last = waiting.at(-1)
    if (last === undefined) return
    yield { since, waiting }
    row = last.row
  }
}

/** How often to check whether saved documents wait for the index, in milliseconds. */
const LOOK = 250
/** While one save follows the other, indexing waits, but no longer than this many milliseconds. */
const PATIENCE = 5_000

/** How long a process of a former site waits after a look, in milliseconds. */
const REST_OF_OTHERS = 5_000

const OF_FORMER_SITE =
  'A process with other fields, or other words for search, has started on this database: filters and searches go by those. ' +
  'If this is the newer one, start it again.'

/**
 * Indexes saved documents in the background, so that the first search after many saves is quick: when there is nothing
 * else to save, since a document that is saved again is to be indexed again, and with pauses, so that others
 * get on. Of several processes on one machine, one is enough: `isActive` says whether it is this one at present.
 */
export function startSearchRefresh(ctx: Context, isActive = () => true): { stop(): Promise<void> } {
  const state = passesOf(ctx.store)
  let running: Promise<void> = Promise.resolve()
  let indexed: string | null = null
  let seen: string | null = null
  let due = 0
  let failed: string | null = null
  let isLeftToOthers = false
  let rested = 0
  const look = () => {
    if (!isActive() || state.running !== null || performance.now() < rested) return
    const revision = ctx.store.revision()
    if (revision !== null && revision === indexed) return
    if (seen === indexed) due = Date.now() + PATIENCE
    const isQuiet = revision === seen
    seen = revision
    if (!isQuiet && Date.now() < due) return
    indexed = revision
    running = running
      .then(() => refresh(ctx, state))
      .then((isAll) => {
        failed = null
        if (!isAll) {
          indexed = null
          rested = performance.now() + REST_OF_OTHERS
        }
        if (!isAll && !isLeftToOthers) ctx.log.warn({}, OF_FORMER_SITE)
        isLeftToOthers = !isAll
      })
      .catch((error: unknown) => {
        indexed = null
        // Tried again at each look: while a database is away, once is enough.
        if (String(error) !== failed) ctx.log.error({ error }, 'The search index could not be brought up to date.')
        failed = String(error)
      })
  }
  const timer = setInterval(look, LOOK)
  timer.unref()
  return {
    stop: async () => {
      clearInterval(timer)
      state.waiting += 1
      await running
    },
  }
}
