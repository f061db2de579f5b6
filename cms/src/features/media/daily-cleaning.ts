import { late } from '../../base/late.ts'
import type { DailyWork } from '../../engine/daily-work.ts'

/** Cleans uploads (§4.3), and what is left of failures to sign in and of clipboards. */
export const DAILY_CLEANING: DailyWork = {
  setting: 'media cleaning',
  failure: 'The daily cleaning failed. The next attempt is in a day.',
  run: late(() => import('./clean-daily.ts'), 'cleanDaily'),
}
