import { notFound, unavailable } from '../../base/errors.ts'
import { listPage } from '../../engine/answers/fragments.ts'
import { thinPage, thinProperties } from '../../engine/answers/thin.ts'
import { requestedProjection } from '../../engine/answers/wanted.ts'
import type { Context } from '../../engine/context.ts'
import { assertMaySome, pageAccess, pagesVisibility, pageViews } from '../../engine/pages/page-access.ts'
import type { Projection } from '../../engine/presentation/projection.ts'
import type { JoinedBytes, TextPart } from '../../engine/shared-bytes.ts'
import { readPaging } from '../../http/requests/read-parameters.ts'
import type { QueryValues, RouteRequest } from '../../http/requests/route.ts'
import type { ChildPage, ChildrenQuery } from '../../store/contract/store.ts'
import { childrenPerPage } from './page-parameters.ts'
import { PageTexts } from './page-texts.ts'
import { requestedPage } from './permit-pages.ts'

/** How often children are read when they change meanwhile. */
const ATTEMPTS = 5

/**
 * The children of a page (§4.2), thin, some at a time: `{ results, total, pages, currentPage }`. For callers who read
 * drafts. A constant number of statements. Throws `notfound` where the page is hidden.
 */
export async function listChildren(ctx: Context, { params, query }: RouteRequest): Promise<JoinedBytes> {
  assertMaySome(ctx, 'readDraft')
  const { id, archived } = requestedPage(ctx, params._id ?? '', query)
  const { locale, mode, docId } = id
  const view = { locale, mode, archived: 'any', visibility: pagesVisibility(ctx, mode) } as const
  const [parent] = await ctx.store.tree.outline({ ...view, docIds: [docId] })
  const isSeen = parent !== undefined && pageAccess(ctx, parent) !== null
  if (!isSeen || (archived !== 'any' && archived !== parent.isArchived)) throw notFound()
  const { page, perPage, offset } = readPaging(query, childrenPerPage(ctx.site))
  const children: ChildrenQuery = {
    ...view,
    archived: parent.isArchived ? true : archived,
    parent: docId,
    types: pageViews(ctx).map(({ type }) => type.name),
    offset,
    limit: perPage,
  }
  return listText(ctx, children, { project: projectionOf(ctx, query), page })
}

/** The thin fields, and those that are requested as well. */
function projectionOf(ctx: Context, query: QueryValues): Projection {
  const requested = requestedProjection(ctx, pageViews(ctx), query)
  if (requested === null) return thinPage
  if (requested.kind === 'except') return requested
  return { ...requested, names: new Set([...thinPage.names, ...requested.names]) }
}

async function listText(
  ctx: Context,
  query: ChildrenQuery,
  { project, page }: { readonly project: Projection; readonly page: number },
): Promise<JoinedBytes> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const { pages: found, total } = await ctx.store.tree.children(query)
    const texts = await new PageTexts(ctx, { project, former: new Map() }).of(query, found)
    if (texts === null) continue
    const added = await thinProperties(ctx, found.map(thinOf(query)))
    const results = found.flatMap((child, index): TextPart[] => {
      const text = texts.get(child.docId)
      if (text === undefined) return []
      const properties = { ...added[index], _childCount: child.childCount }
      return [index === 0 ? '' : ',', ...text.open, `,${JSON.stringify(properties).slice(1)}`]
    })
    return listPage(results, { page, perPage: query.limit, total })
  }
  throw unavailable('The tree is changing too fast to be read. Try again in a moment.')
}

function thinOf({ locale, mode }: ChildrenQuery) {
  return ({ docId, type, state, path }: ChildPage) => ({ id: { docId, locale, mode }, type, state, path })
}
