import { joinSlug } from '../../base/text.ts'
import type { OpenCopies, OpenDocument } from '../../model/terms/document.ts'
import type { Mode } from '../../model/terms/document-id.ts'
import type { PageCopy, TreePosition } from '../../store/contract/store.ts'
import type { Context, WriteContext } from '../context.ts'
import type { LockedPage } from '../pages/locate-page.ts'
import {
  followsParent,
  ownPart,
  type PlannedSlug,
  planSlugs,
  type SlugChanges,
  slugOfCopy,
  type UrlChange,
  urlChangesOf,
  writeSlugs,
} from '../pages/page-slugs.ts'
import { assertNotParked } from '../pages/parked.ts'
import { isInArchive, positionAt, type TreeTarget } from '../pages/position.ts'
import {
  assertMayPlace,
  assertParentPublished,
  assertSeesTarget,
  type Parent,
  parentAmong,
  slugAbove,
  type TreeContext,
} from '../pages/tree-rules.ts'
import { draftsOnly } from '../permissions.ts'
import { MODES } from '../save/change.ts'
import { assertMayOverwrite } from '../save/copies.ts'
import { announceChanges, recordTreeChange } from '../save/save-hooks.ts'
import { announceTreeChanges, assertMayChangeTree, hasPageHooks, type TreeChange } from '../save/tree-changes.ts'

/** The target of a move, and the modes of the copies whose slug the same request sets: these follow no parent. */
interface Move {
  readonly target: TreeTarget
  readonly givenSlugs: readonly Mode[]
}

/** A page after it was moved. */
export interface Moved {
  readonly parent: Parent
  readonly position: TreePosition
  readonly copies: OpenCopies
  readonly urls: readonly UrlChange[]
  /** The slugs of all copies that were moved along. */
  readonly slugs: readonly PlannedSlug[]
}

/** A complete move: from where to where, and whether it leads into or out of the archive. */
interface FullMove {
  readonly page: LockedPage
  readonly to: TreePosition
  readonly parent: Parent
  /** The page above before; null for what lies in the archive, which follows nothing. */
  readonly oldParent: Parent | null
  readonly crossing: 'archived' | 'restored' | null
}

/**
 * Moves a page with everything below it (§4.2), into the archive and out of it too. Draft and published move together;
 * slugs that followed the old parent follow the new one. The page was locked with its target looked up. Throws
 * `invalid` for moves that are not allowed, and then changes nothing.
 */
export async function movePage(ctx: WriteContext, page: LockedPage, move: Move): Promise<Moved> {
  return save(ctx, await planMove(ctx, page, move))
}

/** The effects of moving a page. Throws as `movePage`, but for what hooks refuse. */
export async function planMove(ctx: TreeContext, page: LockedPage, { target, givenSlugs }: Move): Promise<PlannedMove> {
  const move = await placeFor(ctx, page, target)
  const hasNewPath = move.to.parent !== page.position.parent
  const isRead = hasNewPath || hasPageHooks(ctx)
  const copies = isRead ? await ctx.tx.read.tree.copiesBelow(page.id.locale, page.position.path) : []
  const slugs = hasNewPath ? await slugsOf(ctx, move, { copies, givenSlugs }) : []
  return { move, hasNewPath, copies, slugs }
}

/** Throws `forbidden` for a caller who may not change all that a planned move changes (§5.2). */
export function assertMayMove(ctx: Context, { move, copies, slugs }: PlannedMove): void {
  assertMayChangeTree(ctx, changesOf(move, copies, slugs))
}

/** The pages that move along, where they are needed, and the slugs that change. */
interface PlannedMove {
  readonly move: FullMove
  readonly hasNewPath: boolean
  readonly copies: readonly PageCopy[]
  readonly slugs: readonly PlannedSlug[]
}

async function save(ctx: WriteContext, { move, hasNewPath, copies, slugs }: PlannedMove): Promise<Moved> {
  const { page, to, parent, crossing } = move
  const { docId, locale } = page.id
  const changed = await announceTreeChanges(ctx, locale, changesOf(move, copies, slugs))
  if (!hasNewPath && copies.length === 0) await announceMove(ctx, page)
  await ctx.tx.tree.move(locale, page.position, to)
  recordTreeChange(ctx)
  const modified = (await writeSlugs(ctx, { locale, copies }, slugs)).get(docId)
  const renamed = slugs.filter(({ copy, slug }) => copy.docId === docId && copy.slug !== slug)
  const touched = MODES.filter((mode) => page.copies[mode] !== null && !renamed.some(({ copy }) => copy.mode === mode))
  await ctx.tx.tree.touch(locale, docId, touched)
  if (crossing) await ctx.tx.tree.setArchived(locale, to.path, crossing === 'archived')
  const after = changed.has(docId)
    ? await ctx.tx.documents.lockCopies(docId, locale)
    : movedCopies(move, { renamed, modified })
  return { parent, position: to, copies: after, urls: urlChangesOf(slugs), slugs }
}

/** A page that stays below its parent is announced here where its copies need not be read for hooks. */
function announceMove(ctx: WriteContext, { id, type, copies }: LockedPage): Promise<void> {
  const modes = MODES.filter((mode) => copies[mode] !== null)
  return announceChanges(ctx, [{ reason: 'moved', type: type.name, docId: id.docId, locale: id.locale, modes }])
}

/** Where the page may be moved to, of the pages that were locked with it. */
async function placeFor(ctx: TreeContext, page: LockedPage, target: TreeTarget): Promise<FullMove> {
  const { docId, locale } = page.id
  assertNotParked(ctx.site, docId, 'moved or archived')
  const { nodes } = page
  assertSeesTarget(ctx, nodes, target.docId)
  const to = positionAt(nodes, { docId, from: page.position }, target)
  const wasArchived = isInArchive(page.position)
  const isArchived = isInArchive(to)
  const crossing = isArchived === wasArchived ? null : isArchived ? 'archived' : 'restored'
  assertMayOverwrite(ctx, page.copies, crossing === null ? moveAction(ctx, page) : 'archive')
  const parent = parentAmong(nodes, to)
  assertMayPlace(ctx, parent)
  if (page.copies.published) await assertParentPublished(ctx, parent, locale)
  return { page, to, parent, oldParent: wasArchived ? null : parentAmong(nodes, page.position), crossing }
}

/** Moving a published page changes what is published; callers who only write drafts move nothing (§5.5). */
function moveAction({ actor }: Context, { copies }: LockedPage) {
  return copies.published || draftsOnly(actor) ? 'editPublished' : 'editDraft'
}

/** The slugs of the pages that move. What lies in the archive follows nothing, and its slugs may be taken by now. */
async function slugsOf(
  ctx: TreeContext,
  move: FullMove,
  { copies, givenSlugs }: { readonly copies: readonly PageCopy[]; readonly givenSlugs: readonly Mode[] },
): Promise<PlannedSlug[]> {
  const { page, to, oldParent } = move
  if (isInArchive(to)) return []
  const changes = newSlugs(move, oldParent === null ? [] : givenSlugs)
  if (oldParent !== null && Object.keys(changes).length === 0) return []
  const carried = oldParent === null ? 'restored' : 'all'
  return planSlugs(ctx, { locale: page.id.locale, copies }, { rootId: page.id.docId, changes, carried })
}

/** Slugs below the new parent's, for the copies that followed the old one; where there is no old one, for all. */
function newSlugs({ page, parent, oldParent }: FullMove, givenSlugs: readonly Mode[]): SlugChanges {
  return Object.fromEntries(
    MODES.flatMap((mode) => {
      const from = slugOfCopy(page.copies[mode])
      const parentSlug = slugAbove(parent, mode)
      if (from === null || parentSlug === null || givenSlugs.includes(mode)) return []
      const isFollowing = oldParent === null || followsParent(from, slugAbove(oldParent, mode))
      return isFollowing ? [[mode, { from, to: joinSlug(parentSlug, ownPart(from)) }]] : []
    }),
  )
}

/** Returns the changes to each copy of the subtree: those below the page change only when their path does. */
function changesOf(
  { page, to, crossing }: FullMove,
  copies: readonly PageCopy[],
  plan: readonly PlannedSlug[],
): TreeChange[] {
  const slugs = new Map(plan.map(({ copy, slug }) => [copy.row, slug]))
  const isCarrying = to.parent !== page.position.parent
  return copies.flatMap((copy) => {
    const isRoot = copy.docId === page.id.docId
    if (!isRoot && !isCarrying) return []
    const archived = crossing === null ? copy.isArchived : crossing === 'archived'
    const reason = crossing ?? (isRoot ? 'moved' : 'carried')
    return [{ copy, reason, after: { slug: slugs.get(copy.row) ?? copy.slug, archived } }]
  })
}

/** The page's copies as they are stored by now, without reading them again. */
function movedCopies(
  { page, crossing }: FullMove,
  { renamed, modified }: { readonly renamed: readonly PlannedSlug[]; readonly modified: boolean | undefined },
): OpenCopies {
  const after = (document: OpenDocument | null): OpenDocument | null => {
    if (document === null) return null
    const slug = renamed.find(({ copy }) => copy.mode === document.id.mode)?.slug
    const state = { ...(slug !== undefined && { slug }), ...(crossing && { archived: crossing === 'archived' }) }
    const fields = { ...document.fields, ...state }
    const mark = document.id.mode === 'draft' && modified !== undefined && { modified }
    return { ...document, fields, ...mark, revision: document.revision + (crossing ? 2 : 1) }
  }
  return { draft: after(page.copies.draft), published: after(page.copies.published) }
}
