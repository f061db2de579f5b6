import { forgetExpiredClipboards } from '../../engine/access/clipboards.ts'
import { forgetOldAttempts } from '../../engine/access/throttle.ts'
import type { Context } from '../../engine/context.ts'
import { cleanUploads, NOT_LINKED } from './clean-media.ts'

/** Removes unused uploads (§4.3), and what is left of failures to sign in and of clipboards. */
export async function cleanDaily(ctx: Context, signal: AbortSignal): Promise<void> {
  await forgetOldAttempts(ctx)
  await forgetExpiredClipboards(ctx)
  const { isLinked, unused, leftOver, unknown } = await cleanUploads(ctx, { signal })
  if (!isLinked) ctx.log.warn({}, NOT_LINKED)
  if (unused + leftOver > 0) ctx.log.info({ unused, leftOver }, 'Unused uploads were removed.')
  if (unknown.count > 0) ctx.log.warn({ unknown: unknown.count }, 'Some uploads are unknown. See: quire media clean')
}
