import { CmsError } from '../../base/errors.ts'
import { restAfter, waitForTurn } from '../../base/turns.ts'
import type { Store, StoredDocument } from '../../store/contract/store.ts'
import type { Context } from '../context.ts'
import { logUnindexed, recordWords, type Words, wordsOf } from './document-words.ts'
import { spellingsIn } from './search.ts'

/** How many documents are indexed in one transaction: some milliseconds, in which nobody else writes. */
const BATCH = 24
/** After how many batches what they have written is merged, and in how many steps at most. */
const BATCHES_TO_MERGE = 4
const MOST_MERGES = 16
/** How many of the words that were stored lately are kept in memory: some 3 MB. */
const MOST_SPELLINGS = 40_000
/** How many times as long as a step the pause after it is, while content is written. */
const WRITERS_SHARE = 4

/** The indexing passes of a store: the one under way, and the one that follows it. */
interface Passes {
  running: Promise<void> | null
  next: Promise<void> | null
  /** How many callers wait for them. */
  waiting: number
  /** See `indexedUpTo`. */
  indexed: number | null
  /** Indexed words that were stored lately, for words with mistakes: most words are in many documents. */
  readonly spellings: Set<string>
  /** The content of the store after the last step; null where that is unknown. */
  revision: string | null
}
const passes = new WeakMap<Store, Passes>()

function passesOf(store: Store): Passes {
  const known = passes.get(store)
  if (known !== undefined) return known
  const none = { running: null, next: null, waiting: 0, indexed: null, revision: null, spellings: new Set<string>() }
  passes.set(store, none)
  return none
}

/** The last commit, as `Changes` counts them, up to which everything is indexed; null where that is unknown. */
export function indexedUpTo(store: Store): number | null {
  return passesOf(store).indexed
}

/**
 * Brings the search index up to date with all that was committed before the call: saves only leave a note. There is one
 * pass at a time: all who ask while one goes on share the next one.
 */
export async function refreshSearch(ctx: Context): Promise<void> {
  const state = passesOf(ctx.store)
  state.waiting += 1
  try {
    await refresh(ctx, state)
  } finally {
    state.waiting -= 1
  }
}

function refresh(ctx: Context, state: Passes): Promise<void> {
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

/**
 * Indexes once what waits; what is saved again meanwhile waits for the next pass. What others have locked is waited for
 * at the end, one by one: nothing else waits for it.
 */
async function indexWaiting(ctx: Context, state: Passes): Promise<void> {
  const changes = ctx.store.changes()
  const begun = changes?.now ?? null
  // Anything may have changed: another server, that never had these words, may have taken the place of the former one.
  if (state.indexed !== null && changes?.areUnchanged([], state.indexed) !== true) state.spellings.clear()
  const left: Words[] = []
  let batches = 0
  let began = performance.now()
  for await (const { since, waiting } of waitingFor(ctx)) {
    const words = await wordsOf(ctx, waiting)
    left.push(...(await putWords(ctx, words)))
    if (since !== null) await recordWords(ctx, since, words)
    batches += 1
    await rest(ctx, state, began)
    if (batches % BATCHES_TO_MERGE === 0) await merge(ctx, state)
    began = performance.now()
  }
  for (const one of left) await putAlone(ctx, one)
  state.indexed = begun
  if (batches % BATCHES_TO_MERGE > 0) await merge(ctx, state)
}

/** Merges what was indexed; what is left then is merged by the next pass. */
async function merge(ctx: Context, state: Passes): Promise<void> {
  for (let step = 0, isMore = true; isMore && step < MOST_MERGES; step += 1) {
    const began = performance.now()
    isMore = await ctx.store.transaction((tx) => tx.documents.mergeSearchWords())
    await rest(ctx, state, began)
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
    const waiting = await store.documents.unsearched(row, BATCH)
    const last = waiting.at(-1)
    if (last === undefined) return
    yield { since, waiting }
    row = last.row
  }
}

/** Returns what was left out, to be indexed alone: what others have locked, or all where the database refuses some words. */
async function putWords(ctx: Context, rows: readonly Words[]): Promise<readonly Words[]> {
  try {
    const indexed = await put(ctx, rows)
    return rows.filter(({ row }) => !indexed.has(row))
  } catch (error) {
    if (error instanceof CmsError) throw error
    return rows
  }
}

/** If the database refuses the words of a document, it is indexed without words. */
async function putAlone(ctx: Context, one: Words): Promise<void> {
  try {
    await put(ctx, [one])
  } catch (error) {
    if (error instanceof CmsError) throw error
    await logUnindexed(ctx, one.document.id, error)
    await put(ctx, [{ ...one, words: '' }])
  }
}

async function put(ctx: Context, rows: readonly Words[]): Promise<ReadonlySet<number>> {
  const { spellings } = passesOf(ctx.store)
  const words = new Set(rows.flatMap(({ words }) => words.split(' ')))
  const added = [...words].filter((word) => !spellings.has(word))
  const indexed = await ctx.store.transaction(async (tx) => {
    await tx.documents.addSpellings([...spellingsIn(added)])
    return tx.documents.putSearchWords(rows)
  })
  if (spellings.size + added.length > MOST_SPELLINGS) spellings.clear()
  // Copied: a part of a text would keep the whole text in memory.
  for (const word of added) spellings.add(Buffer.from(word).toString())
  return indexed
}

/** How often to check whether saved documents wait for the index, in milliseconds. */
const LOOK = 250
/** While one save follows the other, indexing waits, but no longer than this many milliseconds. */
const PATIENCE = 5_000

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
  const look = () => {
    if (!isActive() || state.running !== null) return
    const revision = ctx.store.revision()
    if (revision !== null && revision === indexed) return
    if (seen === indexed) due = Date.now() + PATIENCE
    const isQuiet = revision === seen
    seen = revision
    if (!isQuiet && Date.now() < due) return
    indexed = revision
    running = running
      .then(() => refresh(ctx, state))
      .then(() => {
        failed = null
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
