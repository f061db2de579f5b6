import { late } from '../../base/late.ts'
import type { Feature } from '../feature.ts'
import { DAILY_CLEANING } from './daily-cleaning.ts'
import { mediaRoutes } from './routes.ts'

const removeFilesWith = late(() => import('./removed-files.ts'), 'removeFilesWith')

/** Uploads, crops and image redirects (§4.3). Image and file pieces are served like all pieces. */
export const media: Feature = {
  name: 'media',
  routes: mediaRoutes,
  hooks: {
    afterRemove: { wait: true, run: removeFilesWith },
  },
  jobs: () => [DAILY_CLEANING],
}
