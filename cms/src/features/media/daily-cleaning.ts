import type { Context } from '../../engine/context.ts'
import type { Store } from '../../store/store.ts'
import { cleanUploads, DAY_MS } from './clean.ts'

/** How long after the start, and then how often, it is looked whether a cleaning is due. */
const LOOK_MS = 10 * 60 * 1000
const TURN = 'media cleaning'

/** A service's cleanings. */
interface Cleanings {
  readonly timer: NodeJS.Timeout
  readonly stop: AbortController
  running: Promise<void>
}

const ofStores = new WeakMap<Store, Cleanings>()

/** Cleans once a day while the service runs (decisions 4.3). */
export function startDailyCleaning(ctx: Context): void {
  const stop = new AbortController()
  const look = () => {
    const cleanings = ofStores.get(ctx.store)
    if (cleanings === undefined) return
    cleanings.running = cleanings.running.then(() => cleanWhenDue(ctx, stop.signal))
  }
  const timer = setInterval(look, LOOK_MS)
  timer.unref()
  ofStores.set(ctx.store, { timer, stop, running: Promise.resolve() })
}

/** Ends the cleanings; one that runs stops where it is. */
export async function stopDailyCleaning(ctx: Context): Promise<void> {
  const cleanings = ofStores.get(ctx.store)
  if (cleanings === undefined) return
  clearInterval(cleanings.timer)
  cleanings.stop.abort()
  await cleanings.running
}

/** Cleans when nobody else on this database has done so for a day. What fails is said in the log. */
export async function cleanWhenDue(ctx: Context, signal: AbortSignal = new AbortController().signal): Promise<void> {
  if (signal.aborted) return
  try {
    const now = ctx.now()
    const before = new Date(now.getTime() - DAY_MS)
    const isDue = await ctx.store.transaction((tx) => tx.settings.claim(TURN, now.toISOString(), before.toISOString()))
    if (!isDue) return
    const { unused, stray } = await cleanUploads(ctx, undefined, signal)
    if (unused + stray > 0) ctx.log.info({ unused, stray }, 'Uploads that nobody uses were removed.')
  } catch (error) {
    ctx.log.error({ error }, 'Uploads that nobody uses could not be removed. The next try is in a day.')
  }
}
