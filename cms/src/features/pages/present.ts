import { notFound } from '../../base/errors.ts'
import type { JsonObject } from '../../base/json.ts'
import type { Context } from '../../engine/context.ts'
import { etagOf } from '../../engine/documents/copies.ts'
import { isAnonymous, type ReadAccess } from '../../engine/permissions.ts'
import { present } from '../../engine/presentation/present.ts'
import { isNamed, type Projection, projectsName } from '../../engine/presentation/projection.ts'
import { pageUrl } from '../../engine/presentation/url.ts'
import { Reply } from '../../http/route.ts'
import type { DocId, DocumentId, Locale } from '../../model/document.ts'
import type { Type } from '../../model/types.ts'
import type { Page, PagesQuery, TreePosition } from '../../store/store.ts'
import { type PageVisibility, pageAccess, pagesVisibility, visibilityOf } from './access.ts'
import { parkedPage } from './parked.ts'

/**
 * Pages → JSON for the caller (§2.2), by aposDocId: as pieces, with their position in the tree. Pages of types that the
 * caller may not see are left out, and all that `project` leaves out. What relationships take, for each page type.
 */
export async function presentPages(
  ctx: Context,
  pages: readonly Page[],
  { former, project }: { readonly former: FormerUrls; readonly project: Projection | null },
): Promise<Map<DocId, JsonObject>> {
  const seen = pages.flatMap((page) => {
    const found = pageAccess(ctx, visibilityOf(page.document))
    return found ? [{ ...page, ...found }] : []
  })
  const shown = new Map<DocId, JsonObject>()
  for (const [type, ofType] of Map.groupBy(seen, (page) => page.type)) {
    const [{ access } = {}] = ofType
    if (!access) continue
    const documents = ofType.map(({ document }) => document)
    const answers = await present(ctx, documents, { type, access, project })
    ofType.forEach(({ document, position }, index) => {
      const { docId } = document.id
      const values: JsonObject = {
        ...parkedValues(ctx, docId),
        level: position.level,
        rank: position.rank,
        path: position.path,
        historicUrls: [...(former.get(docId) ?? [])],
      }
      const named = Object.entries(values).filter(
        ([name]) => isShown({ type, access }, name) && projectsName(project, name),
      )
      shown.set(docId, Object.assign(answers[index] ?? {}, Object.fromEntries(named)))
    })
  }
  return shown
}

/** True when the caller's answers about a page like this hold this computed name (`_children`, `_ancestors`). */
export function showsName(ctx: Context, page: PageVisibility, name: string): boolean {
  const found = pageAccess(ctx, page)
  return found !== null && isShown(found, name)
}

interface Seen {
  readonly type: Type
  readonly access: ReadAccess
}

function isShown({ type, access }: Seen, name: string): boolean {
  return access.fields === 'full' || isNamed(type.publicProjection, name)
}

/** The URLs that pages had, by aposDocId. */
export type FormerUrls = ReadonlyMap<DocId, readonly string[]>

/** The former URLs of those pages of which the caller is shown them. At most one statement. */
export async function formerUrls(
  ctx: Context,
  locale: Locale,
  pages: readonly (PageVisibility & { readonly docId: DocId })[],
  project: Projection | null,
): Promise<FormerUrls> {
  if (!projectsName(project, 'historicUrls')) return new Map()
  const shown = pages.filter((page) => showsName(ctx, page, 'historicUrls'))
  const slugs = await ctx.store.tree.formerUrls(
    locale,
    shown.map(({ docId }) => docId),
  )
  return new Map([...slugs].map(([docId, some]) => [docId, some.map((slug) => pageUrl(ctx.site, locale, slug))]))
}

function parkedValues(ctx: Context, docId: DocId): JsonObject {
  const parked = parkedPage(ctx.site, docId)
  return parked ? { parkedId: parked.parkedId, parked: [...parked.fixed] } : {}
}

/** How one page is answered. */
interface PageRequest {
  /** Whether it may, or must, be archived. */
  readonly archived: boolean | 'any'
  /** Narrows the page, and its ancestors and children where it names them. */
  readonly project: Projection | null
}

/** A page that was just written, as its writer sees it. */
export function presentWrittenPage(ctx: Context, id: DocumentId, position: TreePosition): Promise<Reply> {
  return pageReply(ctx, id, position, { archived: 'any', project: null })
}

/** One page as an answer, with the requested relatives. Throws `notfound` where the caller may not see it. */
export async function pageReply(
  ctx: Context,
  id: DocumentId,
  position: TreePosition,
  { archived, project }: PageRequest,
): Promise<Reply> {
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
  const shown = await shownPages(ctx, id.locale, [...line, ...children], project)
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
    ...(projectsName(project, '_children') ? { childrenOf: docId } : {}),
  }
}

async function shownPages(
  ctx: Context,
  locale: Locale,
  pages: readonly Page[],
  project: Projection | null,
): Promise<ReadonlyMap<string, JsonObject>> {
  const looks = pages.map(({ document }) => ({ ...visibilityOf(document), docId: document.id.docId }))
  return presentPages(ctx, pages, { former: await formerUrls(ctx, locale, looks, project), project })
}
