import type { Context } from '../context.ts'
import { indexed, uniqueOf } from '../documents/change.ts'
import { refreshSearch } from './search-index.ts'

const BATCH = 200

/**
 * Rebuilds the index of lists and search in batches: needed when the fields of a site have changed, and
 * possible while the site is served. Returns how many copies were indexed.
 */
export async function reindex(ctx: Context, report: (done: number, total: number) => void): Promise<number> {
  const total = await countAll(ctx)
  let done = 0
  let last = 0
  for (;;) {
    const stored = await ctx.store.documents.following(last, BATCH)
    if (stored.length === 0) return done
    const rows = stored.flatMap((one) => {
      const type = ctx.site.types.get(one.document.type)
      return type ? [{ ...one, indexRows: indexed(type, one.document), ...uniqueOf(type, one.document) }] : []
    })
    await ctx.store.transaction((tx) => tx.documents.reindex(rows))
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
