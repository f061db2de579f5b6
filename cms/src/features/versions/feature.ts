import type { Feature } from '../feature.ts'
import { DAILY_PACKING, DAILY_PRUNING } from './daily-jobs.ts'
import { versionRoutes } from './routes.ts'

/** The history of documents, for those who may edit them (§4.4). */
export const versions: Feature = {
  name: 'versions',
  routes: versionRoutes,
  jobs: ({ keptVersions }) => (keptVersions === null ? [DAILY_PACKING] : [DAILY_PRUNING, DAILY_PACKING]),
}
