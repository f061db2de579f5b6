import type { TakenValue } from '../../store/contract/store.ts'
import type { Context } from '../context.ts'
import { indexed, uniqueValues } from '../save/change.ts'
import { refreshSearch } from './search-index.ts'

const BATCH = 200
const MOST_TOLD = 100

/** What was indexed. */
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
    const found = await ctx.store.transaction((tx) => tx.documents.reindex(rows))
    taken.push(...found.slice(0, MOST_TOLD - taken.length))
    await refreshSearch(ctx)
    done += rows.length
    last = stored.at(-1)?.row ?? last
    report(Math.min(done, total), total)
  }
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
