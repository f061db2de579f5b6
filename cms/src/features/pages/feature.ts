import type { Context } from '../../engine/context.ts'
import { parkedDocId } from '../../engine/pages/parked.ts'
import { write } from '../../engine/write.ts'
import type { Feature } from '../feature.ts'
import { parkPage } from './park-page.ts'
import { pageRoutes } from './routes.ts'

/** The tree of pages (§2.2, §4.2): positions, moves, the archive, built-in pages. */
export const pages: Feature = {
  name: 'pages',
  routes: pageRoutes,
  hooks: { onStart: makeParkedPages },
}

/**
 * Makes the built-in pages of every locale where they are missing. At start; any process may (§2.2, §4.2). One
 * whose slug is another page's by now gets the next free one, and the log says so.
 */
async function makeParkedPages(ctx: Context): Promise<void> {
  for (const locale of ctx.site.locales.keys()) {
    for (const parked of ctx.site.parked) {
      const isMissing = (await ctx.store.tree.position(locale, parkedDocId(parked.parkedId))) === null
      if (isMissing) await write(ctx, (ctx) => parkPage(ctx, locale, parked))
    }
  }
}
