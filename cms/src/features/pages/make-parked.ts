import { late } from '../../base/late.ts'
import type { Context } from '../../engine/context.ts'
import { parkedDocId } from '../../engine/pages/parked.ts'
import { write } from '../../engine/write.ts'

const parkPage = late(() => import('./park-page.ts'), 'parkPage')

/**
 * Makes the built-in pages of every locale where they are missing. At start; any process may (§2.2, §4.2). One
 * whose slug is another page's by now gets the next free one, and the log says so.
 */
export async function makeParkedPages(ctx: Context): Promise<void> {
  for (const locale of ctx.site.locales.keys()) {
    for (const parked of ctx.site.parked) {
      const isMissing = (await ctx.store.tree.position(locale, parkedDocId(parked.parkedId))) === null
      if (isMissing) await write(ctx, (ctx) => parkPage(ctx, locale, parked))
    }
  }
}
