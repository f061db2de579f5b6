import { invalid } from '../../base/errors.ts'
import type { Context } from '../../engine/context.ts'
import { assertMayRemove, remove } from '../../engine/operations/remove.ts'
import { assertNotParked } from '../../engine/pages/parked.ts'
import { write } from '../../engine/write.ts'
import type { RouteRequest } from '../../http/requests/route.ts'
import { lockPage } from './locate-page.ts'
import { copyToDelete } from './permit-pages.ts'

/** Removes a page in one locale for good (§4.2 DELETE), but not home, the archive, or a page that has children. */
export async function removePage(ctx: Context, request: RouteRequest): Promise<object> {
  const { id, action } = copyToDelete(ctx, request.params._id ?? '')
  await write(ctx, async (ctx) => {
    const page = await lockPage(ctx, id, action)
    assertMayRemove(ctx, page)
    assertNotParked(ctx.site, id.docId, 'deleted')
    if ((page.nodes.get(id.docId)?.children ?? 0) > 0)
      throw invalid('This page has children. Delete or move them first.')
    await remove(ctx, page.type, id, request.ifMatch)
    await ctx.tx.tree.remove(id.locale, page.position)
  })
  return {}
}
