import type { Context } from '../../engine/context.ts'
import type { StoreReader, Webhook } from '../../store/contract/store.ts'

/** A webhook that is sent to: one that admins have made, or that the site declares. */
export type Receiver = Pick<Webhook, 'id' | 'url' | 'events' | 'types' | 'secret'>

/** All receivers that are enabled. */
export async function receiversOf(
  ctx: Pick<Context, 'site'>,
  read: Pick<StoreReader, 'webhooks'>,
): Promise<readonly Receiver[]> {
  const stored = (await read.webhooks.list()).filter(({ enabled }) => enabled)
  return [...declaredOf(ctx), ...stored]
}

/** Those that the site declares, recognizable by their ids. */
export function declaredOf({ site }: Pick<Context, 'site'>): Receiver[] {
  return site.webhooks.receivers.map(({ name, ...receiver }) => ({ id: `site:${name}`, ...receiver }))
}

/** What is being sent: by webhook, so that each has one delivery at a time. */
export interface Sending {
  readonly byWebhook: Map<string, Promise<void>>
  readonly signal: AbortSignal
}
