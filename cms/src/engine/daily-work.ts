import type { Store } from '../store/store.ts'
import type { Context } from './context.ts'

/** Work that one of all processes on a database does once a day, while it serves. */
export interface DailyWork {
  /** The setting that holds the time when it was done last. */
  readonly setting: string
  /** What the log says when it fails. */
  readonly failure: string
  run(ctx: Context, signal: AbortSignal): Promise<void>
}

const DAY_MS = 24 * 60 * 60 * 1000
/** How often to check whether work is due. */
const CHECK_MS = 10 * 60 * 1000

interface Started {
  readonly timer: NodeJS.Timeout
  readonly stop: AbortController
  running: Promise<void>
}

const startedOn = new WeakMap<Store, Map<DailyWork, Started>>()

/** Does the work once a day from now on. */
export function startDaily(ctx: Context, work: DailyWork): void {
  const stop = new AbortController()
  const check = () => {
    started.running = started.running.then(() => runWhenDue(ctx, work, stop.signal))
  }
  const started: Started = { timer: setInterval(check, CHECK_MS).unref(), stop, running: Promise.resolve() }
  startedOn.set(ctx.store, (startedOn.get(ctx.store) ?? new Map<DailyWork, Started>()).set(work, started))
}

/** Does it no more; what runs is aborted. */
export async function stopDaily(ctx: Context, work: DailyWork): Promise<void> {
  const started = startedOn.get(ctx.store)?.get(work)
  if (started === undefined) return
  clearInterval(started.timer)
  started.stop.abort()
  await started.running
}

/** Does the work unless a process on this database did it within a day. Failures are logged. */
export async function runWhenDue(
  ctx: Context,
  { setting, failure, run }: DailyWork,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  if (signal.aborted) return
  try {
    const now = ctx.now()
    const before = new Date(now.getTime() - DAY_MS)
    const isDue = await ctx.store.transaction((tx) =>
      tx.settings.claim(setting, now.toISOString(), before.toISOString()),
    )
    if (isDue) await run(ctx, signal)
  } catch (error) {
    ctx.log.error({ error }, failure)
  }
}
