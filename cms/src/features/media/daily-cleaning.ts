import { late } from '../../base/late.ts'
import { DAILY, type Job } from '../../engine/jobs.ts'

/** Cleans uploads (§4.3), and what is left of failures to sign in and of clipboards. */
export const DAILY_CLEANING: Job = {
  name: 'media cleaning',
  schedule: DAILY,
  run: late(() => import('./clean-daily.ts'), 'cleanDaily'),
}
