import { startDaily, stopDaily } from '../../engine/daily-work.ts'
import type { Feature } from '../feature.ts'
import { DAILY_PACKING } from './daily-packing.ts'
import { startDailyPruning, stopDailyPruning } from './daily-pruning.ts'
import { versionRoutes } from './routes.ts'

/** The history of documents, for those who may edit them (§4.4). */
export const versions: Feature = {
  name: 'versions',
  routes: versionRoutes,
  hooks: {
    onStart: (ctx) => {
      startDailyPruning(ctx)
      startDaily(ctx, DAILY_PACKING)
    },
    onStop: async (ctx) => {
      await stopDailyPruning(ctx)
      await stopDaily(ctx, DAILY_PACKING)
    },
  },
}
