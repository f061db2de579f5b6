import { notFound } from '../../base/errors.ts'
import type { JsonObject } from '../../base/json.ts'
import type { Context } from '../../engine/context.ts'
import { etagOf } from '../../engine/documents/copies.ts'
import { pageAccess, pagesVisibility, visibilityOf } from '../../engine/pages/access.ts'
import { formerUrls, type PagesPresentation, presentPages, showsName } from '../../engine/pages/present.ts'
import { isAnonymous } from '../../engine/permissions.ts'
import { type Projection, projectsName } from '../../engine/presentation/projection.ts'
import { Reply } from '../../http/route.ts'
import type { DocumentId, Locale } from '../../model/document.ts'
import type { Page, PagesQuery, TreePosition } from '../../store/store.ts'

/** How one page is answered. */
interface PageRequest extends Omit<PagesPresentation, 'former'> {
  /** Whether it may, or must, be archived. */
  readonly archived: boolean | 'any'
}

/** A page that was just written, as its writer sees it. */
export function presentWrittenPage(ctx: Context, id: DocumentId, position: TreePosition): Promise<Reply> {
  return pageReply(ctx, id, position, { archived: 'any', project: null, whenRelatedTooLong: 'shorten' })
}

/** One page as an answer, with the requested relatives. Throws `notfound` where the caller may not see it. */
export async function pageReply(
  ctx: Context,
  id: DocumentId,
  position: TreePosition,
  { archived, ...presentation }: PageRequest,
): Promise<Reply> {
  const { project } = presentation
  const found = await ctx.store.tree.pages(withRelatives(ctx, id, position, project))
  const { docId } = id
  const page = found.find(({ document }) => document.id.docId === docId)
  const isArchived = page?.document.fields.archived === true
  if (!page || (archived !== 'any' && archived !== isArchived)) throw notFound()
  const etag = etagOf(page.document)
  const audience = visibilityOf(page.document)
  const line = found.filter(({ position }) => position.parent !== docId)
  // Of the children of home the archive alone is archived.
  const children = found.filter(({ document: { fields }, position }) => {
    return position.parent === docId && fields.orphan !== true && (isArchived || fields.archived !== true)
  })
  const shown = await shownPages(ctx, id.locale, [...line, ...children], presentation)
  const answer = shown.get(docId)
  if (!answer) throw notFound()
  const objects = (some: readonly Page[]) =>
    some.map(({ position }) => shown.get(position.docId)).filter((one) => one !== undefined)
  const isShown = (name: string) => showsName(ctx, audience, name) && projectsName(project, name)
  if (isShown('_ancestors')) answer._ancestors = objects(line.filter((one) => one !== page))
  if (isShown('_children')) {
    // As in the tree: pages of the last level that is shown have no children.
    answer._children = objects(children).map((child) => Object.assign(child, { _children: [] }))
  }
  // The revision tells of changes of fields that a narrower answer does not hold.
  const isFull = pageAccess(ctx, audience)?.access.fields === 'full'
  return new Reply(answer, !isAnonymous(ctx.actor) && isFull ? { ETag: etag } : {})
}

/** A page, and the requested ones of its ancestors and children. */
function withRelatives(
  ctx: Context,
  { locale, mode, docId }: DocumentId,
  { path }: TreePosition,
  project: Projection | null,
): PagesQuery {
  return {
    locale,
    mode,
    archived: 'any',
    visibility: pagesVisibility(ctx, mode),
    docIds: projectsName(project, '_ancestors') ? path.split('/') : [docId],
    ...(projectsName(project, '_children') ? { childrenOf: [docId] } : {}),
  }
}

async function shownPages(
  ctx: Context,
  locale: Locale,
  pages: readonly Page[],
  presentation: Omit<PagesPresentation, 'former'>,
): Promise<ReadonlyMap<string, JsonObject>> {
  const looks = pages.map(({ document }) => ({ ...visibilityOf(document), docId: document.id.docId }))
  const former = await formerUrls(ctx, locale, looks, presentation.project)
  return presentPages(ctx, pages, { former, isScheduled: true, ...presentation })
}
