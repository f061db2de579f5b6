import { z } from 'zod'
import { didYouMean } from '../../base/did-you-mean.ts'
import { forbidden, invalid, invalidFields, notFound } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import { newSecret } from '../../engine/access/secrets.ts'
import type { Context } from '../../engine/context.ts'
import { assertPublic } from '../../engine/outgoing/public-address.ts'
import { textParameter } from '../../http/requests/read-parameters.ts'
import type { RouteRequest } from '../../http/requests/route.ts'
import { readValue } from '../../http/requests/typed-route.ts'
import { CHANGE_EVENTS } from '../../model/declared/change-events.ts'
import { RECEIVER_URL } from '../../model/declared/option-schemas.ts'
import type { Delivery, StoreWriter, Webhook } from '../../store/contract/store.ts'
import { declaredOf, newDelivery, type Receiver, receiversOf, wake } from './receivers.ts'

const MOST_WEBHOOKS = 50

const fields = {
  url: RECEIVER_URL,
  events: z.array(z.enum(CHANGE_EVENTS)).min(1).max(CHANGE_EVENTS.length),
  types: z.array(z.string()).max(200),
  enabled: z.boolean(),
}
const NEW = z.strictObject({ ...fields, types: fields.types.default([]), enabled: fields.enabled.default(true) })
const CHANGED = z.strictObject({ ...fields, newSecret: z.boolean() }).partial()

/** Lists all webhooks, those that the site declares first. */
export async function listWebhooks(ctx: Context): Promise<object> {
  const stored = await ctx.store.webhooks.list()
  return { results: [...declaredOf(ctx).map(receiverAnswer), ...stored.map(webhookAnswer)] }
}

/** Makes a webhook. The answer is the only one that shows its secret. */
export async function makeWebhook(ctx: Context, { body }: RouteRequest): Promise<object> {
  const read = await readValue(NEW, body, 'body')
  assertUsable(ctx, read)
  const webhook: Webhook = { ...read, id: newId(), secret: newSecret(), createdAt: ctx.now().toISOString() }
  await changing(ctx, async (tx) => {
    const others = await tx.read.webhooks.list()
    if (others.length >= MOST_WEBHOOKS) throw invalid(`A site takes at most ${MOST_WEBHOOKS} webhooks.`)
    await tx.webhooks.put(webhook)
  })
  return { ...webhookAnswer(webhook), secret: webhook.secret }
}

/** Reads one webhook. */
export async function readWebhook(ctx: Context, { params }: RouteRequest): Promise<object> {
  const id = params._id ?? ''
  const declared = declaredOf(ctx).find((one) => one.id === id)
  return declared ? receiverAnswer(declared) : webhookAnswer(await storedWebhook(ctx, id))
}

/** Changes a webhook; `newSecret: true` replaces its secret, and the answer shows it. */
export async function changeWebhook(ctx: Context, { params, body }: RouteRequest): Promise<object> {
  const { newSecret: isNew = false, ...read } = await readValue(CHANGED, body, 'body')
  const id = changeable(ctx, params._id ?? '')
  return changing(ctx, async (tx) => {
    const before = await storedWebhook({ store: tx.read }, id)
    const given = Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined))
    const webhook: Webhook = { ...before, ...given, ...(isNew && { secret: newSecret() }) }
    assertUsable(ctx, webhook)
    await tx.webhooks.put(webhook)
    return isNew ? { ...webhookAnswer(webhook), secret: webhook.secret } : webhookAnswer(webhook)
  })
}

/** Deletes a webhook, and whatever was still to be sent to it. */
export async function removeWebhook(ctx: Context, { params }: RouteRequest): Promise<object> {
  const id = changeable(ctx, params._id ?? '')
  await changing(ctx, async (tx) => {
    if (!(await tx.webhooks.remove(id))) throw notFound()
  })
  return {}
}

/** Runs work that every process learns of, as of changed credentials. */
function changing<T>(ctx: Context, work: (tx: StoreWriter) => Promise<T>): Promise<T> {
  return ctx.store.transaction(async (tx) => {
    const result = await work(tx)
    tx.tokens.roleChanged()
    return result
  })
}

async function storedWebhook(
  { store }: { readonly store: Pick<Context['store'], 'webhooks'> },
  id: string,
): Promise<Webhook> {
  const webhook = (await store.webhooks.list()).find((one) => one.id === id)
  if (webhook === undefined) throw notFound()
  return webhook
}

function changeable(ctx: Context, id: string): string {
  if (declaredOf(ctx).some((one) => one.id === id)) throw forbidden('The site declares this webhook: change it there.')
  return id
}

function assertUsable({ site }: Context, { url, types }: Pick<Webhook, 'url' | 'types'>): void {
  const unknown = types.find((name) => !site.types.has(name))
  const problem = (path: string, message: string) => invalidFields([{ path, name: 'invalid', message }])
  const name = unknown?.slice(0, 100) ?? ''
  if (unknown !== undefined)
    throw problem('types', `There is no type ${name}${didYouMean(name, site.types.keys()) || '.'}`)
  const parsed = new URL(url)
  if (parsed.username !== '' || parsed.password !== '') throw problem('url', 'Leave user name and password out.')
  try {
    if (!site.webhooks.allowPrivate) assertPublic(parsed, 'webhooks')
  } catch (error) {
    throw problem('url', error instanceof Error ? error.message : '')
  }
}

function webhookAnswer({ id: _id, url, events, types, enabled, createdAt }: Webhook): object {
  return { _id, url, events, types, enabled, isDeclared: false, createdAt }
}

function receiverAnswer({ id: _id, url, events, types }: Receiver): object {
  return { _id, url, events, types, enabled: true, isDeclared: true }
}

const PER_PAGE = 50

/** The deliveries of a webhook, newest first: fifty at a time. */
export async function listDeliveries(ctx: Context, request: RouteRequest): Promise<object> {
  await readWebhook(ctx, request)
  const before = textParameter(request.query, 'before') ?? null
  const found = await ctx.store.webhooks.deliveries(request.params._id ?? '', { limit: PER_PAGE, before })
  return { results: found.map(deliveryAnswer) }
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
  return deliveryAnswer({ ...ping, status: 'pending', attempts: 0, due, sentAt: null, answered: null, error: null })
}

/** Sends a delivery again: the same event, with the same id. */
export async function redeliver(ctx: Context, request: RouteRequest): Promise<object> {
  await readWebhook(ctx, request)
  const { _id = '', deliveryId = '' } = request.params
  const now = ctx.now().getTime()
  if (!(await ctx.store.transaction(({ webhooks }) => webhooks.redeliver(_id, deliveryId, now)))) throw notFound()
  wake(ctx)
  return {}
}

function deliveryAnswer(delivery: Delivery): object {
  const { id: _id, event, status, attempts, due, createdAt, sentAt, answered, error, body } = delivery
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
