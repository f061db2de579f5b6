import { late } from '../../base/late.ts'
import type { Job } from '../../engine/run-jobs.ts'
import { DAILY } from '../../model/declared/job-schedules.ts'
import type { Feature } from '../feature.ts'
import { mediaRoutes } from './routes.ts'

const removeFilesWith = late(() => import('./removed-files.ts'), 'removeFilesWith')

/** Cleans uploads (§4.3), and what is left of failures to sign in and of clipboards. */
export const DAILY_CLEANING: Job = {
  name: 'media cleaning',
  schedule: DAILY,
  run: late(() => import('./clean-daily.ts'), 'cleanDaily'),
}

/** Uploads, crops and image redirects (§4.3). Image and file pieces are served like all pieces. */
export const media: Feature = {
  name: 'media',
  routes: mediaRoutes,
  hooks: {
    afterRemove: { wait: true, run: removeFilesWith },
  },
  jobs: () => [DAILY_CLEANING],
}
