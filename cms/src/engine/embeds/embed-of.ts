import type { Context } from '../context.ts'
import type { Embed } from '../embed.ts'

/** What an address of another site shows, for rendering; null when there is nothing to show, or not now (§4.8). */
export async function embedOf(ctx: Context, url: string): Promise<Embed | null> {
  const outcome = await ctx.embeds.find(url)
  return outcome.kind === 'found' ? outcome.embed : null
}
