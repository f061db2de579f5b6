import type { Context } from '../context.ts'
import type { Embed } from '../embed.ts'

/**
 * What these addresses of other sites show, by address. Those that show nothing are left out; an answer without those
 * that cannot be asked for now is not cached.
 */
export async function loadEmbeds(ctx: Context, urls: readonly string[]): Promise<ReadonlyMap<string, Embed>> {
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
