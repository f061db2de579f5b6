import type { SpanFacts } from '../../base/spans.ts'
import { inSpan } from '../../base/tracing.ts'
import type { Context } from '../../engine/context.ts'
import { LEASE_MS, renewedEvery } from '../../engine/lease.ts'
import { delayAfter, reasonOf } from '../../engine/outgoing/retries.ts'
import type { Delivery, DeliveryOutcome } from '../../store/contract/store.ts'
import { looks, type Receiver, receiversOf, type Sending } from './receivers.ts'

const MOST_ATTEMPTS = 10

const DELAYS = { first: 10_000, factor: 4, most: 8 * 3_600_000 }

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
    ctx.log.error({ error }, 'Could not look for deliveries of webhooks.')
  }
  return true
}

/** Sends deliveries one after another, oldest first, until one fails: it is retried later, after the others. */
async function sendAll(ctx: Context, id: string, signal: AbortSignal): Promise<void> {
  try {
    while (!signal.aborted) {
      const receiver = (await receiversOf(ctx, ctx.store)).find((one) => one.id === id)
      const now = ctx.now().getTime()
      const delivery =
        receiver && (await ctx.store.transaction(({ webhooks }) => webhooks.claim(id, now, now + LEASE_MS)))
      if (!delivery) return
      const outcome = await whileLeased(ctx, delivery, () => attempt(ctx, receiver, delivery, signal))
      await ctx.store.transaction(({ webhooks }) => webhooks.finish(delivery.id, outcome))
      if (outcome.status !== 'delivered') return
    }
  } catch (error) {
    ctx.log.error({ error, webhook: id }, 'A delivery of a webhook could not be recorded. It will be sent again.')
  }
}

/** Renews the lease of a delivery while it is sent. */
async function whileLeased<T>(ctx: Context, { id }: Delivery, send: () => Promise<T>): Promise<T> {
  const renew = () => ctx.store.transaction(({ webhooks }) => webhooks.renew(id, ctx.now().getTime() + LEASE_MS))
  const late = (error: unknown) =>
    ctx.log.warn({ error, delivery: id }, 'Could not record that a delivery is still being sent.')
  const renewal = setInterval(() => void renew().catch(late), renewedEvery(LEASE_MS)).unref()
  try {
    return await send()
  } finally {
    clearInterval(renewal)
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
    const answered = await inSpan(spanOf(receiver, delivery), async (span) => {
      const status = await send(receiver, delivery, { allowPrivate, seconds: Math.floor(sentAt / 1000), signal })
      span.set({ 'http.response.status_code': status, ...(status >= 400 && { 'error.type': String(status) }) })
      return status
    })
    const isDelivered = answered >= 200 && answered < 300
    if (isDelivered) return { ...delivery, status: 'delivered', attempts, sentAt, answered, error: null }
    return failed(delivery, { attempts, sentAt, answered, error: `The receiver answered ${answered}.` })
  } catch (error) {
    if (signal.aborted) return delivery
    return failed(delivery, { attempts, sentAt, answered: null, error: reasonOf(error) })
  }
}

/** Without the path of the receiver, which may hold a secret. */
function spanOf({ url }: Receiver, { event, attempts }: Delivery): () => SpanFacts {
  return () => {
    const { hostname, port, protocol } = new URL(url)
    const attributes = {
      'http.request.method': 'POST',
      'server.address': hostname,
      'server.port': Number(port || (protocol === 'https:' ? 443 : 80)),
      'http.request.resend_count': attempts,
      'quire.webhook.event': event,
    }
    return { name: 'POST', kind: 'client', attributes }
  }
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
  return delayAfter(attempts, DELAYS, random)
}

/** How often to look for deliveries that are due again, or that another process has left; without webhooks, rarely. */
const [LOOK_MS, RARELY_MS] = [3_000, 300_000]

/** Sends what is due while this process listens. */
export async function startDeliveries(ctx: Context): Promise<() => Promise<void>> {
  const stop = new AbortController()
  const sending: Sending = { byWebhook: new Map(), signal: stop.signal }
  let running: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout
  const look = () => {
    clearTimeout(timer)
    running = running.then(async () => {
      if (stop.signal.aborted) return
      const hasReceivers = await sendDue(ctx, sending)
      timer = setTimeout(look, hasReceivers ? LOOK_MS : RARELY_MS).unref()
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
