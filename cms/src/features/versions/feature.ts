import type { Feature } from '../feature.ts'
import { startDailyPruning, stopDailyPruning } from './daily-pruning.ts'
import { versionRoutes } from './routes.ts'

/** The history of documents, for those who may edit them (§4.4). */
export const versions: Feature = {
  name: 'versions',
  routes: versionRoutes,
  hooks: { onStart: startDailyPruning, onStop: stopDailyPruning },
}
