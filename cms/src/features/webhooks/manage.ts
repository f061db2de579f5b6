import { z } from 'zod'
import { forbidden, invalid, invalidFields, notFound } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import { newSecret } from '../../engine/access/random-secrets.ts'
import type { Context } from '../../engine/context.ts'
import type { RouteRequest } from '../../http/requests/route.ts'
import { readValue } from '../../http/requests/typed-route.ts'
import { CHANGE_EVENTS } from '../../model/declared/change-events.ts'
import type { StoreWriter, Webhook } from '../../store/contract/store.ts'
import { declaredOf, type Receiver } from './receivers.ts'
import { assertPublic } from './send.ts'

const MOST_WEBHOOKS = 50

const fields = {
  url: z.url({ protocol: /^https?$/ }).max(2_000),
  events: z.array(z.enum(CHANGE_EVENTS)).min(1).max(CHANGE_EVENTS.length),
  types: z.array(z.string()).max(200),
  enabled: z.boolean(),
}
const NEW = z.strictObject({ ...fields, types: fields.types.default([]), enabled: fields.enabled.default(true) })
const CHANGED = z.strictObject({ ...fields, newSecret: z.boolean() }).partial()

/** All webhooks: those that the site declares first. */
export async function listWebhooks(ctx: Context): Promise<object> {
  const stored = await ctx.store.webhooks.list()
  return { results: [...declaredOf(ctx).map(shownDeclared), ...stored.map(shown)] }
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
  return { ...shown(webhook), secret: webhook.secret }
}

/** One webhook. */
export async function readWebhook(ctx: Context, { params }: RouteRequest): Promise<object> {
  const id = params._id ?? ''
  const declared = declaredOf(ctx).find((one) => one.id === id)
  return declared ? shownDeclared(declared) : shown(await storedWebhook(ctx, id))
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
    return isNew ? { ...shown(webhook), secret: webhook.secret } : shown(webhook)
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

/** Every process hears of what the work changes, as it does of credentials. */
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
  if (unknown !== undefined) throw problem('types', `There is no type ${unknown.slice(0, 100)}.`)
  const parsed = new URL(url)
  if (parsed.username !== '' || parsed.password !== '') throw problem('url', 'Leave user name and password out.')
  try {
    if (!site.webhooks.allowPrivate) assertPublic(parsed)
  } catch (error) {
    throw problem('url', error instanceof Error ? error.message : '')
  }
}

function shown({ id: _id, url, events, types, enabled, createdAt }: Webhook): object {
  return { _id, url, events, types, enabled, isDeclared: false, createdAt }
}

function shownDeclared({ id: _id, url, events, types }: Receiver): object {
  return { _id, url, events, types, enabled: true, isDeclared: true }
}
