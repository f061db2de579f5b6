import type { Context } from '../context.ts'
import type { Embed } from '../embed.ts'

/** What addresses of other sites show, by address. */
export type Embeds = ReadonlyMap<string, Embed>

/**
 * Asks for what these addresses show. Those that show nothing are left out; an answer without those that cannot be
 * asked for now is not cached.
 */
export async function loadEmbeds(ctx: Context, urls: readonly string[]): Promise<Embeds> {
  const found = new Map<string, Embed>()
  await Promise.all(
    [...new Set(urls)].map(async (url) => {
      const outcome = await ctx.embeds.find(url)
      if (outcome.kind === 'found') found.set(url, outcome.embed)
      if (outcome.kind === 'unavailable') ctx.caching.forbid()
    }),
  )
  return found
}
