import { setImmediate } from 'node:timers/promises'
import { ByteWriter } from '../../base/byte-writer.ts'
import { notFound, unavailable } from '../../base/errors.ts'
import type { JsonObject } from '../../base/json.ts'
import type { Context } from '../../engine/context.ts'
import { mayFindArchived, pageAccess, pagesVisibility, visibilityOf } from '../../engine/pages/access.ts'
import { archiveId, homeId } from '../../engine/pages/parked.ts'
import { formerUrls, presentPages, showsName } from '../../engine/pages/present.ts'
import { type Projection, projectsName, readProjection } from '../../engine/presentation/projection.ts'
import { renderAreas } from '../../engine/rendering/open-scene.ts'
import { archivedParameter, flag, textParameter } from '../../http/input.ts'
import { type QueryValues, Reply } from '../../http/route.ts'
import { type DocId, DocumentId, type Locale, type Mode } from '../../model/document.ts'
import type { Page, PageOutline, PagesQuery } from '../../store/store.ts'

/** What a tree request asks for (§4.2). */
interface TreeRequest extends TreeForm {
  readonly query: PagesQuery
}

/**
 * The home page with its top-level pages; with `all=1` the whole tree, with `flat=1` as `{ results }`, depth first
 * (§4.2). A constant number of statements, but some more for each 50 pages or megabyte.
 */
export async function listPages(ctx: Context, query: QueryValues): Promise<Reply> {
  const request = await readTreeRequest(ctx, query)
  return new Reply(await treeText(ctx, request, request.query))
}

async function readTreeRequest(ctx: Context, query: QueryValues): Promise<TreeRequest> {
  const { locale, mode } = ctx
  const visibility = pagesVisibility(ctx, mode)
  const archived = mayFindArchived(ctx) ? archivedParameter(query) : false
  const project = readProjection(query.project)
  const hasNoChildren = project?.kind === 'except' && !projectsName(project, '_children')
  const form: TreeForm = {
    locale,
    mode,
    rootId: archived === true ? archiveId : homeId,
    isWhole: flag(query, 'all'),
    isFlat: flag(query, 'flat'),
    isRendered: flag(query, 'render-areas'),
    hasChildren: !hasNoChildren && !['false', '0'].includes(textParameter(query, 'children') ?? ''),
    project,
  }
  return { ...form, query: { locale, mode, archived, visibility, ...(await rangeOf(ctx, form)) } }
}

/** Which pages to read: the whole tree is a range of paths; top-level pages are the children of one page. */
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

/** So many pages are read and presented at a time, and no more bytes of them but for a single one. */
const BATCH = 50
const BATCH_BYTES = 1_000_000
/** How often reading a tree is started over because pages were moved, hidden or removed meanwhile. */
const ATTEMPTS = 5

/** Which tree is shown, and how (§4.2). */
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
async function treeText(ctx: Context, form: TreeForm, query: PagesQuery): Promise<Uint8Array> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const shape = shapeOf(ctx, form, await ctx.store.tree.outline(query))
    if (shape.order.length === 0 && !form.isFlat) throw notFound()
    const text = await textOf(ctx, form, query, shape)
    if (text) return text
  }
  throw unavailable('The tree changes too fast to be read. Try again in a moment.')
}

/** The pages to show. */
interface Shape {
  /** Depth first. */
  readonly order: readonly PageOutline[]
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
  return { order, children, depths }
}

/** Null when a page is no longer what the tree was laid out by. */
async function textOf(ctx: Context, form: TreeForm, query: PagesQuery, shape: Shape): Promise<Uint8Array | null> {
  const { order } = shape
  const { locale, project } = form
  const former = await formerUrls(ctx, locale, order, project)
  const text = form.isFlat ? flatText(ctx, form, shape) : nestedText(ctx, form, shape)
  const answer = new ByteWriter(expectedBytes(order))
  if (form.isFlat) answer.write('{"results":[')
  let start = 0
  for (const batch of batchesOf(order)) {
    if (start > 0) await setImmediate()
    const rows = batch.map(({ row }) => row)
    const pages = await ctx.store.tree.ofRows(query, rows)
    if (!batch.every((outline, index) => isStill(outline, pages[index]))) return null
    const shown = await presentPages(ctx, pages, { former, project, isDrawn: form.isRendered, isScheduled: true })
    if (form.isRendered) await renderAreas(ctx, [...shown.values()])
    const texts = pages.map((page, index) => text(page, start + index, shown.get(page.position.docId) ?? {}))
    answer.write(texts.join(''))
    start += batch.length
  }
  if (form.isFlat) answer.write(']}')
  return answer.written()
}

/** What a page has in an answer beside its own fields. */
const PAGE_OVERHEAD = 1_000

/** How long the text of pages will be, unless much is related to them. */
function expectedBytes(pages: readonly PageOutline[]): number {
  return pages.reduce((sum, { bytes }) => sum + bytes + PAGE_OVERHEAD, 0)
}

/** The pages in their order, as many at a time as are read together. */
function batchesOf(order: readonly PageOutline[]): PageOutline[][] {
  const batches: PageOutline[][] = []
  let batch: PageOutline[] = []
  let bytes = 0
  for (const page of order) {
    bytes += page.bytes
    if (batch.length === 0 || batch.length === BATCH || bytes > BATCH_BYTES) {
      batch = []
      batches.push(batch)
      bytes = page.bytes
    }
    batch.push(page)
  }
  return batches
}

/** Whether a page is where it was when the tree was laid out, and is shown to the same callers. */
function isStill(outline: PageOutline, page: Page | undefined): boolean {
  if (page === undefined) return false
  const { type, visibility } = visibilityOf(page.document)
  return page.position.path === outline.path && type === outline.type && visibility === outline.visibility
}

/** Writes the text of one page, and what comes between it and the next one. */
type PageText = (page: Page, index: number, answer: JsonObject) => string

/** A page, its `_children` begun, and the end of all that ends before the next page. */
function nestedText(ctx: Context, form: TreeForm, { order, depths }: Shape): PageText {
  const depthAt = (index: number) => depths.get(order[index]?.docId ?? '') ?? 0
  return ({ document, position }, index, answer) => {
    const audience = visibilityOf(document)
    const isRoot = position.docId === form.rootId
    if (isRoot && showsName(ctx, audience, '_ancestors') && projectsName(form.project, '_ancestors'))
      answer._ancestors = []
    if (!form.hasChildren || !showsName(ctx, audience, '_children')) return JSON.stringify(answer) + end(index, 0)
    const text = JSON.stringify({ ...answer, _children: [] })
    return text.slice(0, -2) + end(index, 1)
  }

  /** `open`: how many lists of children the page itself has begun. */
  function end(index: number, open: 0 | 1): string {
    const isLast = index === order.length - 1
    const closed = depthAt(index) + open - (isLast ? 0 : depthAt(index + 1))
    const isParent = closed === 0 && open === 1
    return ']}'.repeat(closed) + (isLast || isParent ? '' : ',')
  }
}

/** A page with `_ancestors` and `_children` as ids (§4.2). */
function flatText(
  ctx: Context,
  { locale, mode, hasChildren, project }: TreeForm,
  { order, children }: Shape,
): PageText {
  const idOf = (docId: DocId) => DocumentId.format({ docId, locale, mode })
  return ({ document, position }, index, answer) => {
    const audience = visibilityOf(document)
    const isShown = (name: string) => showsName(ctx, audience, name) && projectsName(project, name)
    if (isShown('_ancestors')) answer._ancestors = position.path.split('/').slice(0, -1).map(idOf)
    if (hasChildren && isShown('_children')) {
      answer._children = (children.get(position.docId) ?? []).map(({ docId }) => idOf(docId))
    }
    return JSON.stringify(answer) + (index === order.length - 1 ? '' : ',')
  }
}
