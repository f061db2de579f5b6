import { notFound } from '../../base/errors.ts'
import type { Context } from '../../engine/context.ts'
import { archivedParameter, flag, textParameter } from '../../http/input.ts'
import { type QueryValues, Reply, type Write, WrittenBody } from '../../http/route.ts'
import type { Page, PageOutline, PagesQuery } from '../../store/store.ts'
import { lookOf, mayFindArchived, pagesVisibility } from './access.ts'
import { archiveId, homeId } from './parked.ts'
import { type TreeForm, writeTree } from './tree-text.ts'

/** So many pages are in memory at a time: larger trees are read and written in parts. */
const AT_HAND = 250

/** What a tree request asks for (§4.2 GET list). */
interface TreeRequest extends TreeForm {
  readonly query: PagesQuery
}

/**
 * The home page with its top-level pages; with `all=1` the whole tree, with `flat=1` as `{ results }`, depth first. A
 * constant number of statements whatever the size of the tree, but that in large ones relationships are filled in for
 * 250 pages at a time: more are never in memory.
 */
export async function listPages(ctx: Context, query: QueryValues): Promise<Reply> {
  const request = await readTreeRequest(ctx, query)
  const pages = await ctx.store.tree.pagesUpTo(request.query, AT_HAND)
  return new Reply(
    new WrittenBody((write) => {
      return pages.length > 0 ? writeAtHand(ctx, request, pages, write) : writeInParts(ctx, request, write)
    }),
  )
}

async function readTreeRequest(ctx: Context, query: QueryValues): Promise<TreeRequest> {
  const { locale, mode } = ctx
  const visibility = pagesVisibility(ctx, mode)
  const archived = mayFindArchived(ctx) ? archivedParameter(query) : false
  const form: TreeForm = {
    locale,
    mode,
    rootId: archived === true ? archiveId : homeId,
    isWhole: flag(query, 'all'),
    isFlat: flag(query, 'flat'),
    hasChildren: !['false', '0'].includes(textParameter(query, 'children') ?? ''),
  }
  return { ...form, query: { locale, mode, archived, visibility, ...(await reach(ctx, form)) } }
}

/** Where to look: the whole tree is a range of paths; top-level pages are the children of one page. */
async function reach(
  ctx: Context,
  { locale, rootId, isWhole, isFlat, hasChildren }: TreeForm,
): Promise<Partial<PagesQuery>> {
  if (!hasChildren && !isFlat) return { docIds: [rootId] }
  if (!isWhole) return { docIds: [rootId], childrenOf: rootId }
  const root = await ctx.store.tree.position(locale, rootId)
  if (!root) throw notFound()
  return { below: root.path }
}

function writeAtHand(ctx: Context, form: TreeForm, found: readonly Page[], write: Write): Promise<void> {
  const outline = found.map((page) => {
    const { document, position } = page
    const { docId, parent } = position
    return { ...lookOf(document), docId, parent, isOrphan: document.fields.orphan === true, page }
  })
  return writeTree(ctx, form, { outline, read: (order) => [order.map(({ page }) => page)] }, write)
}

function writeInParts(ctx: Context, request: TreeRequest, write: Write): Promise<void> {
  return ctx.store.snapshot(async (store) => {
    const outline = await store.tree.outline(request.query)
    const read = (order: readonly PageOutline[]) => {
      const rows = order.map(({ row }) => row)
      return store.tree.inBatches(rows, AT_HAND)
    }
    await writeTree({ ...ctx, store }, request, { outline, read }, write)
  })
}
