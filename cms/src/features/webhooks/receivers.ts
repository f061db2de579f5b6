import type { Context } from '../../engine/context.ts'
import { assertReachable, PrivateAddress } from '../../engine/embeds/public-lookup.ts'
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

/** Deliveries in progress: by webhook, so that each has one delivery at a time. */
export interface Sending {
  readonly byWebhook: Map<string, Promise<void>>
  readonly signal: AbortSignal
}

/** The refusal of a receiver at a private address. */
export const PRIVATE_ADDRESS =
  'The address of the receiver is not on the public internet. The site option webhooks.allowPrivate allows it.'

/** Throws for addresses that nothing is ever sent to: those without https, and private IP addresses. */
export function assertPublic(url: URL): void {
  if (url.protocol !== 'https:') throw new Error('The address of a receiver must begin with https:.')
  try {
    assertReachable(url.hostname, [])
  } catch (error) {
    throw error instanceof PrivateAddress ? new Error(PRIVATE_ADDRESS) : error
  }
}
