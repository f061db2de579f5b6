import type { Context, HookRunner } from '../../engine/context.ts'
import { assertReachable, PrivateAddress } from '../../engine/embeds/public-lookup.ts'
import type { StoreReader, Webhook } from '../../store/contract/store.ts'

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
