import { single } from '../../base/metrics.ts'
import type { Context } from '../../engine/context.ts'
import type { Feature } from '../feature.ts'
import { PurgeSender } from './purge-sender.ts'

/** Purges a cache in front of the site of what commits change (§6.8). */
export const purging: Feature = { name: 'purging', serve: startPurging }

/** Another release may answer anything otherwise: everything is purged at the start. */
async function startPurging(ctx: Context): Promise<() => Promise<void>> {
  const { purge } = ctx.site
  if (purge === null) return async () => {}
  ctx.metrics.add(async () => {
    const help = 'Commits whose changes have not been purged from the cache in front of the site yet.'
    return [single('gauge', 'quire_purges_waiting', help, await ctx.store.purges.countWaiting())]
  })
  if (purge.atStart) await ctx.store.transaction(({ purges }) => purges.merge())
  const sender = new PurgeSender(ctx, purge)
  sender.start()
  return () => sender.stop()
}
