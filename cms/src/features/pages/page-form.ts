import { requestedProjection } from '../../engine/answers/wanted.ts'
import type { Context } from '../../engine/context.ts'
import { locatePage } from '../../engine/pages/locate-page.ts'
import { mayFindArchived, pagesVisibility, pageViews } from '../../engine/pages/page-access.ts'
import { archivedParameter, hasChildren } from '../../http/requests/read-parameters.ts'
import type { QueryValues } from '../../http/requests/route.ts'

/** What of a page is answered: `project`, `withRelationships` and `children`. Throws `invalid`. */
export function pageForm(ctx: Context, query: QueryValues) {
  return { project: requestedProjection(ctx, pageViews(ctx), query), hasChildren: hasChildren(query) }
}

/** The copy of a page that a request names, and whether it may be archived. Nothing is looked up. */
export function requestedPage(ctx: Context, idText: string, query: QueryValues) {
  const id = locatePage(ctx, idText)
  const archived = mayFindArchived(ctx) ? archivedParameter(query) : false
  pagesVisibility(ctx, id.mode)
  return { id, archived }
}
