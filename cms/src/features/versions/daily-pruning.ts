import { late } from '../../base/late.ts'
import type { Context } from '../../engine/context.ts'
import { DAILY, type Job } from '../../engine/jobs.ts'

const pruneVersions = late(() => import('../../engine/versions/prune.ts'), 'pruneVersions')

/** Prunes versions (§4.4), where the site says which are kept. */
export const DAILY_PRUNING: Job = {
  name: 'version pruning',
  schedule: DAILY,
  run: prune,
}

async function prune(ctx: Context, signal: AbortSignal): Promise<void> {
  const { keptVersions } = ctx.site
  if (keptVersions === null) return
  const removed = await pruneVersions(ctx, keptVersions, { signal })
  if (removed > 0) ctx.log.info({ removed }, 'Old versions were pruned.')
}
