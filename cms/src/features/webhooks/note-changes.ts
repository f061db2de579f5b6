import { newId } from '../../base/ids.ts'
import type { WriteContext } from '../../engine/context.ts'
import type { ContentChange } from '../../engine/events.ts'
import { DocumentId } from '../../model/terms/document.ts'
import type { Delivery, DeliveryOutcome } from '../../store/contract/store.ts'
import { wake } from './deliver.ts'
import { type Receiver, receiversOf } from './receivers.ts'

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
