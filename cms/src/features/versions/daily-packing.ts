import { late } from '../../base/late.ts'
import type { Context } from '../../engine/context.ts'
import { DAILY, type Job } from '../../engine/jobs.ts'

const packVersions = late(() => import('../../engine/versions/pack.ts'), 'packVersions')

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
