import { setImmediate } from 'node:timers/promises'
import { batchesOf } from '../../base/batches.ts'
import { notFound, unavailable } from '../../base/errors.ts'
import type { JsonObject } from '../../base/json.ts'
import { requestedProjection } from '../../engine/answers/wanted.ts'
import type { Context } from '../../engine/context.ts'
import { pageAccess, pagesVisibility, pageViews } from '../../engine/pages/page-access.ts'
import { archiveId, homeId } from '../../engine/pages/parked.ts'
import { formerUrls, showsName } from '../../engine/pages/present-pages.ts'
import { isContributor } from '../../engine/permissions.ts'
import { type Projection, projectsName } from '../../engine/presentation/projection.ts'
import { JoinedBytes, type TextPart } from '../../engine/shared-bytes.ts'
import { archivedParameter, flag, hasChildren, rendersAreas } from '../../http/requests/read-parameters.ts'
import { type QueryValues, Reply } from '../../http/requests/route.ts'
import { type DocId, DocumentId, type Locale, type Mode } from '../../model/terms/document-id.ts'
import type { PageOutline, PagesQuery } from '../../store/contract/store.ts'
import { type PageText, PageTexts } from './page-texts.ts'

/** A parsed request for a tree (§4.2). */
interface TreeRequest extends TreeForm {
  readonly query: PagesQuery
}

/**
 * The home page with its top-level pages; with `all=1` the whole tree, with `flat=1` as `{ results }`, depth first
 * (§4.2). A constant number of statements, but some more for each 50 pages or megabyte.
 */
export async function listPages(ctx: Context, query: QueryValues): Promise<Reply> {
  return new Reply(await treeText(ctx, await readTreeRequest(ctx, query)))
}

async function readTreeRequest(ctx: Context, query: QueryValues): Promise<TreeRequest> {
  const { locale, mode } = ctx
  const visibility = pagesVisibility(ctx, mode)
  const archived = isContributor(ctx.actor) ? archivedParameter(query) : false
  const project = requestedProjection(ctx, pageViews(ctx), query)
  const hasNoChildren = project?.kind === 'except' && !projectsName(project, '_children')
  const form: TreeForm = {
    locale,
    mode,
    rootId: archived === true ? archiveId : homeId,
    isWhole: flag(query, 'all'),
    isFlat: flag(query, 'flat'),
    isRendered: rendersAreas(query),
    hasChildren: !hasNoChildren && hasChildren(query),
    project,
  }
  return { ...form, query: { locale, mode, archived, visibility, ...(await rangeOf(ctx, form)) } }
}

/** Selects the pages to read: the whole tree is a range of paths; top-level pages are the children of one page. */
async function rangeOf(
  ctx: Context,
  { locale, rootId, isWhole, isFlat, hasChildren }: TreeForm,
): Promise<Partial<PagesQuery>> {
  if (!hasChildren && !isFlat) return { docIds: [rootId] }
  if (!isWhole) return { docIds: [rootId], childrenOf: [rootId] }
  const root = await ctx.store.tree.position(locale, rootId)
  if (!root) throw notFound()
  return { below: root.path }
}

/** How many pages are read and presented at a time. */
const BATCH = { items: 50, bytes: 1_000_000 }
/** How often reading a tree is started over because pages were moved, hidden or removed meanwhile. */
const ATTEMPTS = 5

/** Selects a tree, and the form in which it is shown (§4.2). */
interface TreeForm {
  readonly locale: Locale
  readonly mode: Mode
  readonly rootId: DocId
  readonly isFlat: boolean
  /** Areas as HTML. */
  readonly isRendered: boolean
  readonly hasChildren: boolean
  /** With orphans. */
  readonly isWhole: boolean
  /** Narrows each page; a nested tree keeps its `_children`. */
  readonly project: Projection | null
}

/**
 * A tree as JSON text (§4.2): nested, or flat as `{ results }`, depth first. Read and written some pages at a time, so
 * that only its text is in memory as a whole. Nothing below a hidden page is shown; throws `notfound` where the root of
 * a nested tree is hidden.
 */
async function treeText(ctx: Context, request: TreeRequest): Promise<JoinedBytes> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const shape = shapeOf(ctx, request, await ctx.store.tree.outline(request.query))
    if (shape.order.length === 0 && !request.isFlat) throw notFound()
    const text = await textOf(ctx, request, shape)
    if (text) return text
  }
  throw unavailable('The tree is changing too fast to be read. Try again in a moment.')
}

/** The pages to show. */
interface Shape {
  /** Depth first. */
  readonly order: readonly PageOutline[]
  /** Pages whose children may be shown. */
  readonly open: ReadonlySet<DocId>
  readonly children: ReadonlyMap<DocId, readonly PageOutline[]>
  /** How far a page is below the root. */
  readonly depths: ReadonlyMap<DocId, number>
}

/** Orphans, and what lies below them, only in whole trees; nothing below pages that are hidden or hide it. */
function shapeOf(ctx: Context, form: TreeForm, outline: readonly PageOutline[]): Shape {
  const { rootId, isFlat, hasChildren, isWhole } = form
  const open = new Set<DocId>()
  const shown = outline.filter((page) => {
    const isReached = open.has(page.parent) && (isWhole || !page.isOrphan)
    const isShown = (page.docId === rootId || isReached) && pageAccess(ctx, page) !== null
    const isOpen = isFlat || (hasChildren && showsName(ctx, page, '_children'))
    if (isShown && isOpen) open.add(page.docId)
    return isShown
  })
  const children = Map.groupBy(shown, ({ parent }) => parent)
  const order: PageOutline[] = []
  const depths = new Map<DocId, number>()
  const waiting = shown.filter(({ docId }) => docId === rootId)
  for (let page = waiting.pop(); page; page = waiting.pop()) {
    order.push(page)
    depths.set(page.docId, (depths.get(page.parent) ?? -1) + 1)
    for (const child of (children.get(page.docId) ?? []).toReversed()) waiting.push(child)
  }
  return { order, open, children, depths }
}

/** Returns the tree as text; null when a page has changed since the tree was laid out. */
async function textOf(ctx: Context, request: TreeRequest, shape: Shape): Promise<JoinedBytes | null> {
  const { query, ...form } = request
  const { order } = shape
  const former = await formerUrls(ctx, order, form)
  const texts = new PageTexts(ctx, { project: form.project, former, isRendered: form.isRendered })
  const goOn = form.isFlat ? flatText(form, shape) : nestedText(form, shape)
  const parts: TextPart[] = form.isFlat ? ['{"results":['] : []
  let index = 0
  for (const batch of batchesOf(order, BATCH, ({ bytes }) => bytes)) {
    if (index > 0) await setImmediate()
    const found = await texts.of(query, batch)
    if (found === null) return null
    for (const page of batch) {
      const text = found.get(page.docId)
      if (text !== undefined) parts.push(...text.open, goOn(page, index, text.shown))
      index += 1
    }
  }
  if (form.isFlat) parts.push(']}')
  return new JoinedBytes(parts)
}

/** The text between the properties of a page and the next page. */
type GoOn = (page: PageOutline, index: number, shown: PageText['shown']) => string

/** Begins the `_children` of a page, and ends all that ends before the next one. */
function nestedText({ rootId }: TreeForm, { order, open, depths }: Shape): GoOn {
  const depthAt = (index: number) => depths.get(order[index]?.docId ?? '') ?? 0
  return ({ docId }, index, shown) => {
    const ancestors = docId === rootId && shown.has('_ancestors') ? ',"_ancestors":[]' : ''
    return open.has(docId) ? `${ancestors},"_children":[${end(index, 1)}` : `${ancestors}}${end(index, 0)}`
  }

  /** `begun`: how many lists of children the page itself has begun. */
  function end(index: number, begun: 0 | 1): string {
    const isLast = index === order.length - 1
    const closed = depthAt(index) + begun - (isLast ? 0 : depthAt(index + 1))
    const isParent = closed === 0 && begun === 1
    return ']}'.repeat(closed) + (isLast || isParent ? '' : ',')
  }
}

/** Adds `_ancestors` and `_children` as ids (§4.2). */
function flatText({ locale, mode, hasChildren }: TreeForm, { order, children }: Shape): GoOn {
  const idOf = (docId: DocId) => DocumentId.format({ docId, locale, mode })
  return ({ docId, path }, index, shown) => {
    const related: JsonObject = {}
    if (shown.has('_ancestors')) related._ancestors = path.split('/').slice(0, -1).map(idOf)
    if (hasChildren && shown.has('_children')) {
      related._children = (children.get(docId) ?? []).map((child) => idOf(child.docId))
    }
    const text = JSON.stringify(related).slice(1)
    return (text === '}' ? text : `,${text}`) + (index === order.length - 1 ? '' : ',')
  }
}
