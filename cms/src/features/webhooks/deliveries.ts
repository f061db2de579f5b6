import { invalid, notFound } from '../../base/errors.ts'
import type { Context } from '../../engine/context.ts'
import { textParameter } from '../../http/requests/read-parameters.ts'
import type { RouteRequest } from '../../http/requests/route.ts'
import type { Delivery } from '../../store/contract/store.ts'
import { readWebhook } from './manage.ts'
import { newDelivery } from './note-changes.ts'
import { receiversOf } from './receivers.ts'
import { wake } from './serving.ts'

const PER_PAGE = 50

/** The deliveries of a webhook, newest first: fifty at a time. */
export async function listDeliveries(ctx: Context, request: RouteRequest): Promise<object> {
  await readWebhook(ctx, request)
  const before = textParameter(request.query, 'before') ?? null
  const found = await ctx.store.webhooks.deliveries(request.params._id ?? '', { limit: PER_PAGE, before })
  return { results: found.map(shown) }
}

/** Sends a test event, whichever events the webhook subscribes to. */
export async function pingReceiver(ctx: Context, request: RouteRequest): Promise<object> {
  await readWebhook(ctx, request)
  const id = request.params._id ?? ''
  if (!(await receiversOf(ctx, ctx.store)).some((one) => one.id === id)) throw invalid('Enable this webhook first.')
  const ping = newDelivery(id, 'ping', {}, ctx.now())
  await ctx.store.transaction(({ webhooks }) => webhooks.addDeliveries([ping]))
  wake(ctx)
  const due = ping.createdAt
  return shown({ ...ping, status: 'pending', attempts: 0, due, sentAt: null, answered: null, error: null })
}

/** Sends a delivery again: the same event, with the same id. */
export async function redeliver(ctx: Context, request: RouteRequest): Promise<object> {
  await readWebhook(ctx, request)
  const { _id = '', deliveryId = '' } = request.params
  const now = ctx.now().getTime()
  if (!(await ctx.store.transaction(({ webhooks }) => webhooks.redeliver(_id, deliveryId, now)))) throw notFound()
  await receiversOf(ctx, ctx.store)
  wake(ctx)
  return {}
}

function shown({ id: _id, event, status, attempts, due, createdAt, sentAt, answered, error, body }: Delivery): object {
  const time = (moment: number | null) => (moment === null ? null : new Date(moment).toISOString())
  return {
    _id,
    event,
    status,
    attempts,
    createdAt: time(createdAt),
    sentAt: time(sentAt),
    due: status === 'pending' ? time(due) : null,
    answered,
    error,
    body: JSON.parse(body),
  }
}
