import { forgetExpiredClipboards } from '../../engine/access/clipboards.ts'
import { forgetOldAttempts } from '../../engine/access/throttle.ts'
import type { Context } from '../../engine/context.ts'
import type { Store } from '../../store/store.ts'
import { cleanUploads, DAY_MS, NOT_LINKED } from './clean.ts'

/** How often to check whether a cleaning is due. */
const CHECK_MS = 10 * 60 * 1000
/** The setting that holds the time of the last cleaning. */
const LAST_CLEANING = 'media cleaning'

/** The cleanings of one running service. */
interface Cleanings {
  readonly timer: NodeJS.Timeout
  readonly stop: AbortController
  running: Promise<void>
}

const ofStores = new WeakMap<Store, Cleanings>()

/** Cleans uploads (§4.3), and what is left of failures to sign in and of clipboards, once a day while the service runs. */
export function startDailyCleaning(ctx: Context): void {
  const stop = new AbortController()
  const check = () => {
    const cleanings = ofStores.get(ctx.store)
    if (cleanings === undefined) return
    cleanings.running = cleanings.running.then(() => cleanWhenDue(ctx, stop.signal))
  }
  const timer = setInterval(check, CHECK_MS)
  timer.unref()
  ofStores.set(ctx.store, { timer, stop, running: Promise.resolve() })
}

/** Stops the daily cleaning; one that runs is aborted. */
export async function stopDailyCleaning(ctx: Context): Promise<void> {
  const cleanings = ofStores.get(ctx.store)
  if (cleanings === undefined) return
  clearInterval(cleanings.timer)
  cleanings.stop.abort()
  await cleanings.running
}

/** Cleans unless a process on this database did so within a day. Failures are logged. */
export async function cleanWhenDue(ctx: Context, signal: AbortSignal = new AbortController().signal): Promise<void> {
  if (signal.aborted) return
  try {
    const now = ctx.now()
    const before = new Date(now.getTime() - DAY_MS)
    const isDue = await ctx.store.transaction((tx) =>
      tx.settings.claim(LAST_CLEANING, now.toISOString(), before.toISOString()),
    )
    if (!isDue) return
    await forgetOldAttempts(ctx)
    await forgetExpiredClipboards(ctx)
    const { isLinked, unused, leftOver, unknown } = await cleanUploads(ctx, { signal })
    if (!isLinked) ctx.log.warn({}, NOT_LINKED)
    if (unused + leftOver > 0) ctx.log.info({ unused, leftOver }, 'Unused uploads were removed.')
    if (unknown.count > 0) ctx.log.warn({ unknown: unknown.count }, 'Some uploads are unknown. See: quire media clean')
  } catch (error) {
    ctx.log.error({ error }, 'The daily cleaning failed. The next attempt is in a day.')
  }
}
