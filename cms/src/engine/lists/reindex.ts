import { DocumentId } from '../../model/terms/document.ts'
import type { IndexedDocument, TakenValue } from '../../store/contract/store.ts'
import type { Context } from '../context.ts'
import { indexed, uniqueValues } from '../save/change.ts'
import { markIndexFresh } from '../values/declared-content.ts'
import { refreshSearch } from './search-index.ts'

const BATCH = 200
const MOST_TOLD = 100

/** The result of indexing. */
interface Reindexed {
  /** How many copies. */
  readonly count: number
  /** Documents that share the value of a unique field with another one, from before it was unique; at most 100. */
  readonly taken: readonly TakenValue[]
}

/**
 * Rebuilds the index of lists and search in batches: needed when the fields of a site have changed, and
 * possible while the site is served.
 */
export async function reindex(ctx: Context, report: (done: number, total: number) => void): Promise<Reindexed> {
  const total = await countAll(ctx)
  const taken: TakenValue[] = []
  let done = 0
  let last = 0
  for (;;) {
    const stored = await ctx.store.documents.following(last, BATCH)
    if (stored.length === 0) return { count: done, taken }
    const rows = stored.flatMap((one) => {
      const type = ctx.site.types.get(one.document.type)
      return type ? [{ ...one, indexRows: indexed(type, one.document), unique: uniqueValues(type, one.document) }] : []
    })
    taken.push(...(await reindexAll(ctx, rows)).slice(0, MOST_TOLD - taken.length))
    await refreshSearch(ctx)
    done += rows.length
    last = stored.at(-1)?.row ?? last
    report(Math.min(done, total), total)
  }
}

/** Waits for documents that others have locked at the end, one by one: meanwhile nobody waits for the rest. */
async function reindexAll({ store }: Context, rows: readonly IndexedDocument[]): Promise<readonly TakenValue[]> {
  const { indexed, taken } = await store.transaction((tx) => tx.documents.reindex(rows))
  const all = [...taken]
  for (const one of rows.filter(({ row }) => !indexed.has(row))) {
    all.push(...(await store.transaction((tx) => tx.documents.reindex([one]))).taken)
  }
  return all
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
  let tenths = 0
  const { count, taken } = await reindex(operator, (done, total) => {
    const now = Math.floor((10 * done) / total)
    if (now === tenths || done === total) return
    tenths = now
    operator.log.info({ done, total }, 'Rebuilding the index.')
  })
  await markIndexFresh(operator.store)
  if (taken.length > 0) {
    const documents = taken.map(({ id, name }) => ({ _id: DocumentId.format(id), field: name }))
    operator.log.warn({ documents }, 'Documents share unique values with others: give them values of their own.')
  }
  operator.log.info({ count }, 'The index was rebuilt.')
}
