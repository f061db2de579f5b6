import { notFound } from '../../base/errors.ts'
import { Queue } from '../../base/queue.ts'
import type { Context } from '../../engine/context.ts'
import { projectsName, readProjection } from '../../engine/presentation/projection.ts'
import { archivedParameter, flag, textParameter } from '../../http/input.ts'
import { type QueryValues, Reply } from '../../http/route.ts'
import type { PagesQuery } from '../../store/store.ts'
import { mayFindArchived, pagesVisibility } from './access.ts'
import { archiveId, homeId } from './parked.ts'
import { type TreeForm, treeText } from './tree.ts'

/** What a tree request asks for (§4.2). */
interface TreeRequest extends TreeForm {
  readonly query: PagesQuery
}

/** Whole trees are made one after another, since each takes memory for all of its pages. */
const wholeTrees = new Queue()

/**
 * The home page with its top-level pages; with `all=1` the whole tree, with `flat=1` as `{ results }`, depth first
 * (§4.2). A constant number of statements, but one more for each 50 pages, and what their relationships take.
 */
export async function listPages(ctx: Context, query: QueryValues): Promise<Reply> {
  const request = await readTreeRequest(ctx, query)
  const text = () => treeText(ctx, request, request.query)
  return new Reply(await (request.isWhole ? wholeTrees.add(text) : text()))
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
    hasChildren: !hasNoChildren && !['false', '0'].includes(textParameter(query, 'children') ?? ''),
    project,
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
