import { forgetExpiredClipboards } from '../../engine/access/clipboards.ts'
import { forgetOldAttempts } from '../../engine/access/throttle.ts'
import type { Context } from '../../engine/context.ts'
import type { Job } from '../../engine/run-jobs.ts'
import { DAILY } from '../../model/declared/job-schedules.ts'
import type { Feature } from '../feature.ts'
import { cleanUploads, NOT_LINKED } from './clean-media.ts'
import { removeFilesWith } from './removed-files.ts'
import { mediaRoutes } from './routes.ts'

/** Cleans uploads (§4.3), and what is left of failures to sign in and of clipboards. */
export const DAILY_CLEANING: Job = {
  name: 'media cleaning',
  schedule: DAILY,
  run: cleanDaily,
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

/** Removes unused uploads (§4.3), and what is left of failures to sign in and of clipboards. */
async function cleanDaily(ctx: Context, signal: AbortSignal): Promise<void> {
  await forgetOldAttempts(ctx)
  await forgetExpiredClipboards(ctx)
  const { isLinked, unused, leftOver, unknown } = await cleanUploads(ctx, { signal })
  if (!isLinked) ctx.log.warn({}, NOT_LINKED)
  if (unused + leftOver > 0) ctx.log.info({ unused, leftOver }, 'Unused uploads were removed.')
  if (unknown.count > 0) ctx.log.warn({ unknown: unknown.count }, 'Some uploads are unknown. See: quire media clean')
}
