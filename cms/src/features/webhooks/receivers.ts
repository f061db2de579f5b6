import { newId } from '../../base/ids.ts'
import type { Context, HookRunner, WriteContext } from '../../engine/context.ts'
import type { ContentChange } from '../../engine/events.ts'
import { DocumentId } from '../../model/terms/document-id.ts'
import type { Delivery, DeliveryOutcome, StoreReader, Webhook } from '../../store/contract/store.ts'

/** A webhook that is sent to: one that admins have made, or that the site declares. */
export type Receiver = Pick<Webhook, 'id' | 'url' | 'events' | 'types' | 'secret'>

interface CachedReceivers {
  readonly revocations: string
  readonly receivers: readonly Receiver[]
}

/** The receivers of each service: a save needs them each time. */
const cached = new WeakMap<HookRunner, CachedReceivers>()

/**
 * Returns all enabled receivers; from the cache until `store.revocations()` changes, as it does with webhooks and with
 * credentials.
 */
export async function receiversOf(ctx: Context, read: Pick<StoreReader, 'webhooks'>): Promise<readonly Receiver[]> {
  const revocations = ctx.store.revocations()
  const before = cached.get(ctx.hooks)
  if (before !== undefined && before.revocations === revocations) return before.receivers
  const stored = (await read.webhooks.list()).filter(({ enabled }) => enabled)
  const receivers = [...declaredOf(ctx), ...stored]
  if (revocations !== null) cached.set(ctx.hooks, { revocations, receivers })
  return receivers
}

/** Returns the receivers that the site declares, recognizable by their ids. */
export function declaredOf({ site }: Pick<Context, 'site'>): Receiver[] {
  return site.webhooks.receivers.map(({ name, ...receiver }) => ({ id: `site:${name}`, ...receiver }))
}

/** Deliveries in progress: by webhook, so that each has one delivery at a time. */
export interface Sending {
  readonly byWebhook: Map<string, Promise<void>>
  readonly signal: AbortSignal
}

/** How the deliveries of a service are looked for, by what all its contexts share. */
export const looks = new WeakMap<HookRunner, () => void>()

/** Looks at once: something is to be sent. Does nothing in a process that does not listen. */
export function wake({ hooks }: Pick<Context, 'hooks'>): void {
  looks.get(hooks)?.()
}

/** A delivery that has not been sent. */
type NewDelivery = Omit<Delivery, keyof DeliveryOutcome>

/**
 * Records the deliveries of changes in the transaction of the changes: a crash loses none, and what was rolled back is
 * never announced.
 */
export async function noteForReceivers(changes: readonly ContentChange[], ctx: WriteContext): Promise<void> {
  const receivers = await receiversOf(ctx, ctx.tx.read)
  if (receivers.length === 0) return
  const now = ctx.now()
  const deliveries = changes.flatMap((change) =>
    receivers.filter((receiver) => wants(receiver, change)).map(({ id }) => deliveryOf(id, change, now)),
  )
  if (deliveries.length === 0) return
  await ctx.tx.webhooks.addDeliveries(deliveries)
  ctx.afterCommit(wake)
}

function wants({ events, types }: Receiver, { event, type }: ContentChange): boolean {
  return events.includes(event) && (types.length === 0 || types.includes(type))
}

function deliveryOf(webhookId: string, change: ContentChange, now: Date): NewDelivery {
  const { event, reason, type, docId, locale, modes } = change
  const mode = modes.includes('published') ? 'published' : 'draft'
  const subject =
    type === ''
      ? { attachment: { _id: docId } }
      : { document: { _id: DocumentId.format({ docId, locale, mode }), aposDocId: docId, type, locale, modes } }
  return newDelivery(webhookId, event, { reason, ...subject }, now)
}

/** A delivery and its body: which delivery it is, what happened, and to what. Never fields of documents (§6.7). */
export function newDelivery(webhookId: string, event: string, said: object, now: Date): NewDelivery {
  const id = newId()
  const body = JSON.stringify({ id, event, createdAt: now.toISOString(), ...said })
  return { id, webhookId, event, body, createdAt: now.getTime() }
}
