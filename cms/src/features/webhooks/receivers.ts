import type { Context, HookRunner } from '../../engine/context.ts'
import type { StoreReader, Webhook } from '../../store/contract/store.ts'

/** A webhook that is sent to: one that admins have made, or that the site declares. */
export type Receiver = Pick<Webhook, 'id' | 'url' | 'events' | 'types' | 'secret'>

interface KnownReceivers {
  readonly revocations: string | null
  readonly readAt: number
  readonly receivers: readonly Receiver[]
}

/** By what all contexts of a service share. */
const known = new WeakMap<HookRunner, KnownReceivers>()

/**
 * All receivers that are enabled. From memory while `store.revocations()` stands, which changes with webhooks as it
 * does with credentials: a save asks for them each time.
 */
export async function receiversOf(
  ctx: Context,
  read: Pick<StoreReader, 'webhooks'>,
  isAnew = false,
): Promise<readonly Receiver[]> {
  const revocations = ctx.store.revocations()
  const cached = known.get(ctx.hooks)
  if (!isAnew && revocations !== null && cached?.revocations === revocations) return cached.receivers
  const stored = (await read.webhooks.list()).filter(({ enabled }) => enabled)
  const receivers = [...declaredOf(ctx), ...stored]
  known.set(ctx.hooks, { revocations, readAt: ctx.now().getTime(), receivers })
  return receivers
}

/** How long the list that is looked through for what is due may be behind what other processes have changed. */
const STALE_MS = 300_000

/**
 * The same, from memory for minutes: to look for deliveries that are due again, or that another process has left. What
 * this process notes itself makes it read the list.
 */
export async function knownReceivers(ctx: Context): Promise<readonly Receiver[]> {
  const cached = known.get(ctx.hooks)
  const isRecent = cached !== undefined && ctx.now().getTime() - cached.readAt < STALE_MS
  return isRecent ? cached.receivers : receiversOf(ctx, ctx.store, true)
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
