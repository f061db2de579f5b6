import type { Context } from '../../engine/context.ts'
import type { Delivery, DeliveryOutcome } from '../../store/contract/store.ts'
import { type Receiver, receiversOf, type Sending } from './receivers.ts'

/** A process that took a delivery and is silent for so long is presumed dead. */
const LEASE_MS = 60_000
const MOST_ATTEMPTS = 10
const [FIRST_DELAY_MS, MOST_DELAY_MS] = [10_000, 8 * 3_600_000]
const MOST_ERROR = 300

/**
 * Starts sending what is due, to each receiver that nothing is being sent to: none waits for others. False when there
 * are no receivers.
 */
export async function sendDue(ctx: Context, sending: Sending): Promise<boolean> {
  try {
    const receivers = await receiversOf(ctx, ctx.store)
    const free = receivers.map(({ id }) => id).filter((id) => !sending.byWebhook.has(id))
    if (free.length === 0) return receivers.length > 0
    for (const id of await ctx.store.webhooks.waiting(free, ctx.now().getTime())) {
      const work = sendAll(ctx, id, sending.signal).finally(() => sending.byWebhook.delete(id))
      sending.byWebhook.set(id, work)
    }
  } catch (error) {
    ctx.log.error({ error }, 'Deliveries of webhooks could not be looked for.')
  }
  return true
}

/** One after another, oldest first, until one fails, which is retried later, after the others. */
async function sendAll(ctx: Context, id: string, signal: AbortSignal): Promise<void> {
  try {
    while (!signal.aborted) {
      const receiver = (await receiversOf(ctx, ctx.store)).find((one) => one.id === id)
      const now = ctx.now().getTime()
      const delivery =
        receiver && (await ctx.store.transaction(({ webhooks }) => webhooks.claim(id, now, now + LEASE_MS)))
      if (!delivery) return
      const outcome = await attempt(ctx, receiver, delivery, signal)
      await ctx.store.transaction(({ webhooks }) => webhooks.finish(delivery.id, outcome))
      if (outcome.status !== 'delivered') return
    }
  } catch (error) {
    ctx.log.error({ error, webhook: id }, 'A delivery of a webhook could not be recorded. It will be sent again.')
  }
}

async function attempt(
  ctx: Context,
  receiver: Receiver,
  delivery: Delivery,
  signal: AbortSignal,
): Promise<DeliveryOutcome> {
  const sentAt = ctx.now().getTime()
  const attempts = delivery.attempts + 1
  try {
    const { allowPrivate } = ctx.site.webhooks
    const { send } = await import('./send.ts')
    const answered = await send(receiver, delivery, { allowPrivate, seconds: Math.floor(sentAt / 1000), signal })
    const isDelivered = answered >= 200 && answered < 300
    if (isDelivered) return { ...delivery, status: 'delivered', attempts, sentAt, answered, error: null }
    return failed(delivery, { attempts, sentAt, answered, error: `The receiver answered ${answered}.` })
  } catch (error) {
    if (signal.aborted) return delivery
    return failed(delivery, { attempts, sentAt, answered: null, error: reasonOf(error) })
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'The receiver could not be reached.'
  const { name, message } = error
  if (name === 'TimeoutError' || name === 'AbortError') return 'The receiver did not answer in time.'
  return (message || name).slice(0, MOST_ERROR)
}

function failed(
  delivery: Delivery,
  ended: Pick<DeliveryOutcome, 'attempts' | 'sentAt' | 'answered' | 'error'>,
): DeliveryOutcome {
  const { attempts, sentAt } = ended
  const due = (sentAt ?? delivery.due) + retryDelay(attempts, Math.random())
  return { ...ended, due, status: attempts < MOST_ATTEMPTS ? 'pending' : 'failed' }
}

/**
 * Milliseconds until a delivery is sent again that has failed so often: four times as long each time, up to eight hours,
 * with a fifth of jitter by `random`, which is from 0 to 1: receivers that recover are not overrun.
 */
export function retryDelay(attempts: number, random: number): number {
  return Math.round(Math.min(FIRST_DELAY_MS * 4 ** (attempts - 1), MOST_DELAY_MS) * (0.8 + random * 0.4))
}
