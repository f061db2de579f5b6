import type { Context, HookRunner } from '../../engine/context.ts'
import { sendDue } from './deliver.ts'
import type { Sending } from './receivers.ts'

/** How often to look for deliveries that are due again, or that another process has left. */
const LOOK_MS = 5_000

/** By what all contexts of a service share. */
const looks = new WeakMap<HookRunner, () => void>()

/** Sends what is due while this process listens. Without webhooks it looks at nothing but memory. */
export async function startDeliveries(ctx: Context): Promise<() => Promise<void>> {
  const stop = new AbortController()
  const sending: Sending = { byWebhook: new Map(), signal: stop.signal }
  let running: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout
  const look = () => {
    clearTimeout(timer)
    running = running.then(async () => {
      if (stop.signal.aborted) return
      await sendDue(ctx, sending)
      timer = setTimeout(look, LOOK_MS).unref()
    })
  }
  timer = setTimeout(look, 0).unref()
  looks.set(ctx.hooks, look)
  return async () => {
    looks.delete(ctx.hooks)
    clearTimeout(timer)
    stop.abort()
    await running
    await Promise.all(sending.byWebhook.values())
  }
}

/** Looks at once: something is to be sent. Does nothing in a process that does not listen. */
export function wake({ hooks }: Pick<Context, 'hooks'>): void {
  looks.get(hooks)?.()
}
