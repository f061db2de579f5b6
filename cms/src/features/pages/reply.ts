import { notFound, unavailable } from '../../base/errors.ts'
import type { Context } from '../../engine/context.ts'
import { pageAccess, pagesVisibility } from '../../engine/pages/page-access.ts'
import {
  formerUrls,
  type PagesPresentation,
  presentPages,
  showsName,
  urlsOf,
} from '../../engine/pages/present-pages.ts'
import { isAnonymous } from '../../engine/permissions.ts'
import { stateOf } from '../../engine/presentation/fragments.ts'
import { type Projection, projectsName } from '../../engine/presentation/projection.ts'
import { etagOf } from '../../engine/save/copies.ts'
import { JoinedBytes, type TextPart } from '../../engine/shared-bytes.ts'
import { Reply } from '../../http/requests/route.ts'
import type { DocId, DocumentId } from '../../model/terms/document.ts'
import type { Page, PageOutline, PagesQuery, TreePosition } from '../../store/contract/store.ts'
import { type PageText, PageTexts } from './page-texts.ts'

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
  const pages = await ctx.store.tree.pages(withRelatives(ctx, id, position, project))
  const { page, line, children } = relativesOf(ctx, pages.map(outlined), id, archived)
  const former = await formerUrls(ctx, id.locale, [page, ...line, ...children], project)
  const around = [page, ...line, ...children].map((one) => one.page)
  const shown = await presentPages(ctx, around, { former, isScheduled: true, ...presentation })
  const answer = shown.get(page.docId)
  if (!answer) throw notFound()
  const objects = (some: readonly Read[]) =>
    some.map(({ docId }) => shown.get(docId)).filter((one) => one !== undefined)
  const isShown = (name: string) => showsName(ctx, page, name) && projectsName(project, name)
  if (isShown('_ancestors')) answer._ancestors = objects(line)
  if (isShown('_children')) {
    // As in the tree: pages of the last level that is shown have no children.
    answer._children = objects(children).map((child) => Object.assign(child, { _children: [] }))
  }
  // The revision would reveal changes of fields that a narrower answer does not hold.
  const isFull = pageAccess(ctx, page)?.access.fields === 'full'
  return new Reply(answer, !isAnonymous(ctx.actor) && isFull ? { ETag: etagOf(page.page.document) } : {})
}

/** Where a page is in the tree of its locale. Throws `notfound`. */
export async function positionOf(ctx: Context, { locale, docId }: DocumentId): Promise<TreePosition> {
  const position = await ctx.store.tree.position(locale, docId)
  if (position === null) throw notFound()
  return position
}

/** The same as `pageReply` as text that is put together of what is cached, without areas rendered. */
export async function pageText(
  ctx: Context,
  id: DocumentId,
  { archived, project }: Pick<PageRequest, 'archived' | 'project'>,
): Promise<Reply> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    // What is cached may be older than what is read, as long as this process has not heard of a change.
    const { view, pages, former } = await (attempt === 1 ? cachedAround : around)(ctx, id, project)
    const { page, line, children } = relativesOf(ctx, pages, id, archived)
    const form = { project, former: urlsOf(ctx, id.locale, former) }
    const texts = await new PageTexts(ctx, form).of(view, [page, ...line, ...children])
    const text = texts?.get(page.docId)
    if (texts && text)
      return new Reply(joined(text, texts, { line, children }), text.tag === null ? {} : { ETag: text.tag })
  }
  throw unavailable('The page changes too fast to be read. Try again in a moment.')
}

/** A page and its relatives, whoever sees them, and the former slugs of each. */
interface PagesAround {
  readonly view: PagesQuery
  readonly pages: readonly PageOutline[]
  readonly former: readonly (readonly [DocId, readonly string[]])[]
}

/** The same, cached until a page is added, moved or shown otherwise. */
function cachedAround(ctx: Context, id: DocumentId, project: Projection | null): Promise<PagesAround> {
  const parts = ['_ancestors', '_children', 'historicUrls'].map((name) => projectsName(project, name))
  const key = `around ${id.docId} ${id.locale} ${id.mode} ${pagesVisibility(ctx, id.mode)} ${parts}`
  return ctx.caches.parts.fill(key, () => around(ctx, id, project))
}

/** At most three statements. Throws `notfound`. */
async function around(ctx: Context, id: DocumentId, project: Projection | null): Promise<PagesAround> {
  const view = withRelatives(ctx, id, await positionOf(ctx, id), project)
  const pages = await ctx.store.tree.outline(view)
  const docIds = projectsName(project, 'historicUrls') ? pages.map(({ docId }) => docId) : []
  return { view, pages, former: [...(await ctx.store.tree.formerUrls(id.locale, docIds))] }
}

/** How often a page is read again that is changed meanwhile. */
const ATTEMPTS = 5

/** A page, its ancestors and its children. */
function joined(
  { open, shown }: PageText,
  texts: ReadonlyMap<DocId, PageText>,
  { line, children }: Pick<Relatives<PageOutline>, 'line' | 'children'>,
): JoinedBytes {
  const listed = (name: string, pages: readonly PageOutline[], end: string): TextPart[] => {
    const parts = pages.flatMap(({ docId }, index) => [
      ...(texts.get(docId)?.open ?? []),
      index === pages.length - 1 ? end : `${end},`,
    ])
    return [`,"${name}":[`, ...parts, ']']
  }
  return new JoinedBytes([
    ...open,
    ...(shown.has('_ancestors') ? listed('_ancestors', line, '}') : []),
    // As in the tree: pages of the last level that is shown have no children.
    ...(shown.has('_children') ? listed('_children', children, ',"_children":[]}') : []),
    '}',
  ])
}

/** What decides whether a page stands around another one. */
type Around = Pick<PageOutline, 'docId' | 'parent' | 'type' | 'visibility' | 'isArchived' | 'isOrphan'>

/** A page and those around it which the caller sees. */
interface Relatives<Of extends Around> {
  readonly page: Of
  /** Its ancestors, from the home page on. */
  readonly line: readonly Of[]
  readonly children: readonly Of[]
}

/** Throws `notfound` where the caller may not see the page. */
function relativesOf<Of extends Around>(
  ctx: Context,
  found: readonly Of[],
  { docId }: DocumentId,
  archived: PageRequest['archived'],
): Relatives<Of> {
  const seen = found.filter((one) => pageAccess(ctx, one) !== null)
  const page = seen.find((one) => one.docId === docId)
  if (!page || (archived !== 'any' && archived !== page.isArchived)) throw notFound()
  const line = seen.filter((one) => one !== page && one.parent !== docId)
  // Of the children of home the archive alone is archived.
  const children = seen.filter((one) => {
    return one.parent === docId && !one.isOrphan && (page.isArchived || !one.isArchived)
  })
  return { page, line, children }
}

/** A page that was read, as its outline would say. */
interface Read extends Around {
  readonly page: Page
}

function outlined(page: Page): Read {
  const { document, position } = page
  const { docId, parent } = position
  return { page, docId, parent, type: document.type, isOrphan: document.fields.orphan === true, ...stateOf(document) }
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
