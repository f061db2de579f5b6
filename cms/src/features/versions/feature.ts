import type { Context } from '../../engine/context.ts'
import type { Job } from '../../engine/run-jobs.ts'
import { packVersions } from '../../engine/versions/pack.ts'
import { pruneVersions } from '../../engine/versions/prune.ts'
import { DAILY } from '../../model/declared/job-schedules.ts'
import type { Feature } from '../feature.ts'
import { versionRoutes } from './routes.ts'

/** The history of documents, for those who may edit them (§4.4). */
export const versions: Feature = {
  name: 'versions',
  routes: versionRoutes,
  jobs: ({ keptVersions }) => (keptVersions === null ? [DAILY_PACKING] : [DAILY_PRUNING, DAILY_PACKING]),
}

/** Compresses the versions of the day (§2.4). */
export const DAILY_PACKING: Job = {
  name: 'version packing',
  schedule: DAILY,
  run: pack,
}

async function pack(ctx: Context, signal: AbortSignal): Promise<void> {
  const packed = await packVersions(ctx, signal)
  if (packed > 0) ctx.log.info({ packed }, 'Versions were compressed.')
}

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
