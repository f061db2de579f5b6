import { CmsError, invalid } from '../../base/errors.ts'
import { slugOf } from '../../model/terms/document.ts'
import { type DocId, DocumentId } from '../../model/terms/document-id.ts'
import type { StoreReader, TreePosition } from '../../store/contract/store.ts'
import type { Context, WriteContext } from '../context.ts'
import { recordUrls } from '../pages/follow.ts'
import { lockPage, pageOn } from '../pages/locate-page.ts'
import { countChangedSlugs } from '../pages/page-slugs.ts'
import type { TreeTarget } from '../pages/position.ts'
import { editAction } from '../permissions.ts'
import { hasPageHooks } from '../save/tree-changes.ts'
import { tryOut } from '../write.ts'
import { assertMayMove, type Moved, movePage, planMove } from './move-page.ts'

/** Pages of one locale, each named once, and where the first is to stand: the others follow it, in this order. */
export interface PagesMove {
  readonly ids: readonly DocumentId[]
  readonly target: TreeTarget
}

/** Where pages stand after a move. */
export interface MovedPages {
  readonly results: readonly MovedPage[]
  /** How many pages got another slug, those below included, as far as the caller sees them. */
  readonly slugs: number
}

type MovedPage = Pick<TreePosition, 'path' | 'level' | 'rank'> & { readonly _id: string; readonly slug: string }

/**
 * Moves pages with everything below them (§4.2), all or none. Throws what moving each by itself would, with the page
 * that is refused in `data._id`.
 */
export async function movePages(ctx: WriteContext, locale: string, { ids, target }: PagesMove): Promise<MovedPages> {
  await ctx.tx.tree.lock([locale])
  let place = await firstPlace(ctx, locale, { ids, target })
  const moves: Moved[] = []
  for (const id of ids) {
    moves.push(await moveOne(ctx, id, place))
    place = { docId: id.docId, placement: 'after' }
  }
  await recordUrls(
    ctx,
    locale,
    moves.flatMap(({ urls }) => urls),
  )
  const slugs = countChangedSlugs(
    ctx,
    moves.flatMap(({ slugs }) => slugs),
  )
  return { results: await placesOf(ctx, locale, ids), slugs }
}

/**
 * Says what `movePages` would do, and writes nothing. One page is looked at on a snapshot, while others write,
 * unless hooks of the site have a say; several depend on one another, and are tried out.
 */
export function checkMoves(ctx: Context, locale: string, move: PagesMove): Promise<MovedPages> {
  const [id, ...others] = move.ids
  if (id === undefined || others.length > 0 || hasPageHooks(ctx))
    return tryOut(ctx, (ctx) => movePages(ctx, locale, move))
  return ctx.store.snapshot((reader) => checkMove(ctx, reader, { id, target: move.target }))
}

interface PageMove {
  readonly id: DocumentId
  readonly target: TreeTarget
}

async function checkMove(ctx: Context, reader: StoreReader, { id, target }: PageMove): Promise<MovedPages> {
  assertIsNotMoving([id.docId], target)
  return namingPage(id, async () => {
    const page = await pageOn(ctx, reader, id, { action: editAction(id.mode), targetId: target.docId })
    const planned = await planMove({ ...ctx, tx: { read: reader } }, page, { target, givenSlugs: [] })
    assertMayMove(ctx, planned)
    const { path, level, rank } = planned.move.to
    const own = planned.slugs.find(({ copy }) => copy.docId === id.docId && copy.mode === id.mode)
    const slug = own?.slug ?? slugOf(page.document)
    return {
      results: [{ _id: DocumentId.format(id), path, slug, rank, level }],
      slugs: countChangedSlugs(ctx, planned.slugs),
    }
  })
}

function assertIsNotMoving(moving: readonly DocId[], { docId }: TreeTarget): void {
  if (moving.includes(docId)) throw invalid('_targetId is one of the pages that are to move: name another one.')
}

async function moveOne(ctx: WriteContext, id: DocumentId, target: TreeTarget): Promise<Moved> {
  return namingPage(id, async () => {
    const page = await lockPage(ctx, id, { action: editAction(id.mode), targetId: target.docId })
    return movePage(ctx, page, { target, givenSlugs: [] })
  })
}

/** Names the page in what refuses it. */
async function namingPage<T>(id: DocumentId, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof CmsError)) throw error
    throw new CmsError(error.name, error.message, { ...error.data, _id: DocumentId.format(id) })
  }
}

/** An index counts the pages that stay: it becomes one among all that are there while the first page moves. */
async function firstPlace(ctx: WriteContext, locale: string, { ids, target }: PagesMove): Promise<TreeTarget> {
  const moving = ids.map(({ docId }) => docId)
  assertIsNotMoving(moving, target)
  if (typeof target.placement !== 'number') return target
  const siblings = await siblingsAmong(ctx, locale, { docIds: moving, parent: target.docId })
  const [first] = siblings.filter(({ docId }) => docId === moving[0])
  const others = siblings.filter(({ docId }) => docId !== moving[0]).map(({ rank }) => rank)
  const ranks = others.map((rank) => (first && first.rank < rank ? rank - 1 : rank)).toSorted((a, b) => a - b)
  const placement = ranks.reduce((index, rank) => (rank <= index ? index + 1 : index), target.placement)
  return { ...target, placement }
}

async function siblingsAmong(
  ctx: WriteContext,
  locale: string,
  { docIds, parent }: { readonly docIds: readonly DocId[]; readonly parent: DocId },
): Promise<TreePosition[]> {
  const nodes = await ctx.tx.read.tree.nodes(locale, docIds)
  return docIds.flatMap((docId) => nodes.get(docId)?.position ?? []).filter((position) => position.parent === parent)
}

async function placesOf(ctx: WriteContext, locale: string, ids: readonly DocumentId[]): Promise<MovedPage[]> {
  const nodes = await ctx.tx.read.tree.nodes(
    locale,
    ids.map(({ docId }) => docId),
  )
  return ids.flatMap((id) => {
    const node = nodes.get(id.docId)
    const copy = node?.[id.mode]
    if (!node || !copy) return []
    const { path, level, rank } = node.position
    return [{ _id: DocumentId.format(id), path, slug: copy.slug, rank, level }]
  })
}
