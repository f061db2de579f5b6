import type { WriteContext } from '../../engine/context.ts'
import { assertNotParked } from '../../engine/pages/parked.ts'
import { draftsOnly } from '../../engine/permissions.ts'
import { noteChanges } from '../../engine/save/content-changes.ts'
import { assertMayOverwrite } from '../../engine/save/copies.ts'
import { announceTreeChanges, hasPageHooks, type TreeChange } from '../../engine/save/tree-changes.ts'
import { joinSlug } from '../../engine/save/whole-slug.ts'
import type { Copies, Document, Mode } from '../../model/terms/document.ts'
import type { PageCopy, TreePosition } from '../../store/contract/store.ts'
import type { LockedPage } from './locate-page.ts'
import { isInArchive, positionAt, type TreeTarget } from './position.ts'
import {
  followsParent,
  ownPart,
  type PlannedSlug,
  planSlugs,
  type SlugChanges,
  slugOfCopy,
  urlChangesOf,
  writeSlugs,
} from './slugs.ts'
import {
  assertMayPlace,
  assertParentPublished,
  assertSeesTarget,
  type Parent,
  parentAmong,
  slugAbove,
} from './tree-rules.ts'
import type { UrlChange } from './urls.ts'

const MODES: readonly Mode[] = ['draft', 'published']

/** The target of a move, and the copies whose slug the same request sets. */
export interface Move {
  readonly target: TreeTarget
  readonly given: readonly Mode[]
}

/** A page after it was moved. */
export interface Moved {
  readonly parent: Parent
  readonly position: TreePosition
  readonly copies: Copies
  readonly urls: readonly UrlChange[]
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
 * slugs that followed the old parent follow the new one. The page was locked with its target beside it. Throws
 * `invalid` for moves that are not allowed, and then changes nothing.
 */
export async function movePage(ctx: WriteContext, page: LockedPage, { target, given }: Move): Promise<Moved> {
  const { docId, locale } = page.id
  const journey = await fullMoveOf(ctx, page, target)
  const { to, parent, crossing } = journey
  const hasNewPath = to.parent !== page.position.parent
  const copies = hasNewPath || hasPageHooks(ctx) ? await ctx.tx.read.tree.copiesBelow(locale, page.position.path) : []
  const plan = hasNewPath ? await planOf(ctx, journey, copies, given) : []
  await announceTreeChanges(ctx, locale, changesOf(journey, copies, plan))
  if (!hasNewPath && copies.length === 0) await noteMove(ctx, page)
  await ctx.tx.tree.move(locale, page.position, to)
  await writeSlugs(ctx, locale, copies, plan)
  const renamed = plan.filter(({ copy, slug }) => copy.docId === docId && copy.slug !== slug)
  const touched = MODES.filter((mode) => page.copies[mode] !== null && !renamed.some(({ copy }) => copy.mode === mode))
  await ctx.tx.tree.touch(locale, docId, touched)
  if (crossing) await ctx.tx.tree.setArchived(locale, to.path, crossing === 'archived')
  return { parent, position: to, copies: copiesAfter(journey, renamed), urls: urlChangesOf(plan) }
}

/** A page that stays below its parent is announced here where its copies need not be read for hooks. */
function noteMove(ctx: WriteContext, { id, type, copies }: LockedPage): Promise<void> {
  const modes = MODES.filter((mode) => copies[mode] !== null)
  return noteChanges(ctx, [{ reason: 'moved', type: type.name, docId: id.docId, locale: id.locale, modes }])
}

async function fullMoveOf(ctx: WriteContext, page: LockedPage, target: TreeTarget): Promise<FullMove> {
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
function moveAction({ actor }: WriteContext, { copies }: LockedPage) {
  return copies.published || draftsOnly(actor) ? 'editPublished' : 'editDraft'
}

/** The slugs of the pages that move. What lies in the archive follows nothing, and its slugs may be taken by now. */
async function planOf(
  ctx: WriteContext,
  journey: FullMove,
  copies: readonly PageCopy[],
  given: readonly Mode[],
): Promise<PlannedSlug[]> {
  const { page, to, oldParent } = journey
  if (isInArchive(to)) return []
  const changes = newSlugs(journey, oldParent === null ? [] : given)
  if (oldParent !== null && Object.keys(changes).length === 0) return []
  const carried = oldParent === null ? 'restored' : 'all'
  return planSlugs(ctx, page.id.locale, copies, { rootId: page.id.docId, changes, carried })
}

/** Slugs below the new parent's, for the copies that followed the old one; where there is no old one, for all. */
function newSlugs({ page, parent, oldParent }: FullMove, given: readonly Mode[]): SlugChanges {
  return Object.fromEntries(
    MODES.flatMap((mode) => {
      const from = slugOfCopy(page.copies[mode])
      const parentSlug = slugAbove(parent, mode)
      if (from === null || parentSlug === null || given.includes(mode)) return []
      const isFollowing = oldParent === null || followsParent(from, slugAbove(oldParent, mode))
      return isFollowing ? [[mode, { from, to: joinSlug(parentSlug, ownPart(from)) }]] : []
    }),
  )
}

/** What the move changes of each copy of the subtree: those below the page change only when their path does. */
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
function copiesAfter({ page, crossing }: FullMove, renamed: readonly PlannedSlug[]): Copies {
  const after = (document: Document | null): Document | null => {
    if (document === null) return null
    const slug = renamed.find(({ copy }) => copy.mode === document.id.mode)?.slug
    const state = { ...(slug !== undefined && { slug }), ...(crossing && { archived: crossing === 'archived' }) }
    const fields = { ...document.fields, ...state }
    return { ...document, fields, revision: document.revision + (crossing ? 2 : 1) }
  }
  return { draft: after(page.copies.draft), published: after(page.copies.published) }
}

/** True when a body asks for nothing but a move. */
export function isMoveAlone(body: object): boolean {
  return Object.keys(body).every((name) => name === '_targetId' || name === '_position')
}
