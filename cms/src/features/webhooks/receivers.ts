import type { Context } from '../../engine/context.ts'
import type { StoreReader, Webhook } from '../../store/store.ts'

/** A webhook that is sent to: one that admins have made, or that the site declares. */
export type Receiver = Pick<Webhook, 'id' | 'url' | 'events' | 'types' | 'secret'>

/** The setting that is written whenever webhooks change: so every process hears of it. */
export const WEBHOOKS_SETTING = 'webhooks'

/** All receivers that are enabled. From memory while no webhook is changed: a save asks for them each time. */
export async function receiversOf(
  ctx: Context,
  read: Pick<StoreReader, 'settings' | 'webhooks'>,
): Promise<readonly Receiver[]> {
  const stored = await ctx.memory.get('webhooks', async () => {
    await read.settings.get(WEBHOOKS_SETTING)
    return (await read.webhooks.list()).filter(({ enabled }) => enabled)
  })
  return [...declaredOf(ctx), ...stored]
}

/** Those that the site declares; their ids tell so. */
export function declaredOf({ site }: Pick<Context, 'site'>): Receiver[] {
  return site.webhooks.receivers.map(({ name, ...receiver }) => ({ id: `site:${name}`, ...receiver }))
}

/** What is being sent: by webhook, so that each has one delivery at a time. */
export interface Sending {
  readonly byWebhook: Map<string, Promise<void>>
  readonly signal: AbortSignal
}
