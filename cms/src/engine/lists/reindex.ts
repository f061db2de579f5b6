import { waitForTurn } from '../../base/turns.ts'
import type { Store, StoredDocument, TakenValue } from '../../store/contract/store.ts'
import type { Context } from '../context.ts'
import { indexBasis } from '../values/declared-content.ts'
import { markIndexFresh } from '../values/index-state.ts'
import { type Words, wordsOf } from './document-words.ts'
import {
  DeclarationsChanged,
  INDEX_BATCH,
  indexAlone,
  indexTogether,
  mergeIndex,
  warnOfTaken,
} from './index-documents.ts'

const BATCH = 200
const MOST_TOLD = 100

/** The result of indexing. */
interface Reindexed {
  /** How many copies. */
  readonly count: number
  /** Documents that share the value of a unique field with another one, from before it was unique; at most 100. */
  readonly taken: readonly TakenValue[]
}

/** The setting that says how far an index is that was interrupted. */
const PROGRESS = 'reindexed'

/** How far an index is that is made from the same declarations. */
interface Progress extends Reindexed {
  readonly basis: string
  /** The last row that was indexed. */
  readonly row: number
}

/**
 * Rebuilds the index of lists and search in batches: needed when the fields of a site have changed, and
 * possible while the site is served. One that was interrupted goes on where it was, unless they have changed again.
 */
export async function reindex(ctx: Context, report: (done: number, total: number) => void): Promise<Reindexed> {
  const total = await countAll(ctx)
  let progress = await progressOf(ctx.store)
  for (;;) {
    const stored = await ctx.store.documents.following(progress.row, BATCH)
    const last = stored.at(-1)
    if (last === undefined) {
      await ctx.store.transaction((tx) => tx.settings.remove(PROGRESS))
      return progress
    }
    const rows = stored.filter(({ document }) => ctx.site.types.has(document.type))
    const taken = [...progress.taken, ...(await reindexAll(ctx, rows))].slice(0, MOST_TOLD)
    progress = { ...progress, row: last.row, count: progress.count + rows.length, taken }
    await keep(ctx.store, progress)
    report(Math.min(progress.count, total), total)
  }
}

async function progressOf(store: Store): Promise<Progress> {
  const basis = await indexBasis(store)
  const text = await store.settings.get(PROGRESS)
  // `as`: only `keep` writes it.
  const kept = text === null ? null : (JSON.parse(text) as Progress)
  return kept?.basis === basis ? kept : { basis, row: 0, count: 0, taken: [] }
}

function keep(store: Store, progress: Progress): Promise<void> {
  return store.transaction((tx) => tx.settings.set(PROGRESS, JSON.stringify(progress)))
}

const INDEXING = { isRebuilt: true, isCurrent: true }

/** Waits for documents that others have locked at the end, one by one: meanwhile nobody waits for the rest. */
async function reindexAll(ctx: Context, stored: readonly StoredDocument[]): Promise<readonly TakenValue[]> {
  const words = await wordsOf(ctx, stored)
  const left: Words[] = []
  const taken: TakenValue[] = []
  for (let from = 0; from < words.length; from += INDEX_BATCH) {
    const indexed = await indexTogether(ctx, words.slice(from, from + INDEX_BATCH), INDEXING)
    left.push(...indexed.left)
    taken.push(...indexed.taken)
    await waitForTurn()
  }
  for (const one of left) taken.push(...(await indexAlone(ctx, one, INDEXING)))
  await mergeIndex(ctx, waitForTurn)
  return taken
}

async function countAll({ site, store }: Context): Promise<number> {
  let total = 0
  for (const type of site.types.values()) {
    for (const locale of type.localized ? site.locales.keys() : ['']) {
      for (const mode of type.localized ? (['draft', 'published'] as const) : (['published'] as const)) {
        const view = { type: type.name, locale, mode, archived: 'any', visibility: null } as const
        total += await store.documents.count({ ...view, conditions: [] })
      }
    }
  }
  return total
}

/**
 * Rebuilds the index, whose field declarations have changed, before any request is answered. With many documents the
 * start then takes a minute; each tenth is logged.
 */
export async function rebuildIndex(operator: Context): Promise<void> {
  operator.log.info(
    {},
    'Field declarations have changed: rebuilding the index. The service starts when this is finished.',
  )
  try {
    await rebuild(operator)
  } catch (error) {
    // It waits for this start, and then rebuilds the index.
    if (!(error instanceof DeclarationsChanged)) throw error
    operator.log.warn({}, error.message)
  }
}

async function rebuild(operator: Context): Promise<void> {
  let tenths = 0
  const { count, taken } = await reindex(operator, (done, total) => {
    const now = Math.floor((10 * done) / total)
    if (now === tenths || done === total) return
    tenths = now
    operator.log.info({ done, total }, 'Rebuilding the index.')
  })
  await markIndexFresh(operator.store)
  warnOfTaken(operator, taken)
  operator.log.info({ count }, 'The index was rebuilt.')
}
