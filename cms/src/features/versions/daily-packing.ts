import { late } from '../../base/late.ts'
import type { Context } from '../../engine/context.ts'
import type { DailyWork } from '../../engine/daily-work.ts'

const packVersions = late(() => import('../../engine/versions/pack.ts'), 'packVersions')

/** Compresses the versions of the day (§2.4). */
export const DAILY_PACKING: DailyWork = {
  setting: 'version packing',
  failure: 'Compressing versions failed. The next attempt is in a day.',
  run: pack,
}

async function pack(ctx: Context, signal: AbortSignal): Promise<void> {
  const packed = await packVersions(ctx, signal)
  if (packed > 0) ctx.log.info({ packed }, 'Versions were compressed.')
}
