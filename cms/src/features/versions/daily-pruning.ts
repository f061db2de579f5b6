import { late } from '../../base/late.ts'
import type { Context } from '../../engine/context.ts'
import { type DailyWork, startDaily, stopDaily } from '../../engine/daily-work.ts'

const pruneVersions = late(() => import('../../engine/versions/prune.ts'), 'pruneVersions')

/** Prunes versions (§4.4), where the site says which are kept. */
export const DAILY_PRUNING: DailyWork = {
  setting: 'version pruning',
  failure: 'The daily pruning of versions failed. The next attempt is in a day.',
  run: prune,
}

async function prune(ctx: Context, signal: AbortSignal): Promise<void> {
  const { keptVersions } = ctx.site
  if (keptVersions === null) return
  const removed = await pruneVersions(ctx, keptVersions, { signal })
  if (removed > 0) ctx.log.info({ removed }, 'Old versions were pruned.')
}

/** Prunes once a day while the service runs. */
export function startDailyPruning(ctx: Context): void {
  if (ctx.site.keptVersions !== null) startDaily(ctx, DAILY_PRUNING)
}

/** Prunes no more. */
export function stopDailyPruning(ctx: Context): Promise<void> {
  return stopDaily(ctx, DAILY_PRUNING)
}
