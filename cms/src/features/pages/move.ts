import type { WriteContext } from '../../engine/context.ts'
import { joinSlug } from '../../engine/documents/slug.ts'
import { assertMay } from '../../engine/permissions.ts'
import type { Copies, Mode } from '../../model/document.ts'
import type { TreePosition } from '../../store/store.ts'
import { type HeldPage, pageDocId } from './locate.ts'
import { assertNotParked } from './parked.ts'
import { isInArchive, positionAt, type Target } from './position.ts'
import { carrySlugs, followsParent, ownPart, type SlugChanges, slugOfCopy } from './slugs.ts'
import { assertMayPlace, assertParentPublished, assertSeesTarget, type Parent, parentOf } from './tree-rules.ts'
import type { UrlChange } from './urls.ts'

const MODES: readonly Mode[] = ['draft', 'published']

/** Where a page is to go, and the copies that the same request gives a slug of their own. */
export interface Move {
  readonly target: Target
  readonly given: readonly Mode[]
}

/** A page after it was moved. */
export interface Moved {
  readonly parent: Parent
  readonly urls: readonly UrlChange[]
}

/**
 * Moves a page with everything below it (§4.2), into the archive and out of it too. Draft and published move together;
 * slugs that followed the old parent follow the new one. Throws `invalid`, the tree untouched, for what cannot be.
 */
export async function movePage(ctx: WriteContext, page: HeldPage, { target, given }: Move): Promise<Moved> {
  const { docId, locale } = page.id
  assertNotParked(ctx.site, docId, 'moved or archived')
  const anchor = { docId: pageDocId(target.targetId), position: target.position }
  await assertSeesTarget(ctx, locale, anchor.docId)
  const position = await positionAt(ctx, locale, { docId, from: page.position }, anchor)
  const wasArchived = isInArchive(page.position)
  const isArchived = isInArchive(position)
  assertMay(ctx.actor, isArchived === wasArchived ? moveAction(page) : 'archive', page.type)
  const parent = await parentOf(ctx, locale, position)
  assertMayPlace(ctx, parent)
  if (page.copies.published) await assertParentPublished(ctx, parent, locale)
  await ctx.tx.tree.move(locale, page.position, position)
  const urls = isArchived ? [] : await carried(ctx, page, position, { parent, given })
  if (isArchived !== wasArchived) await ctx.tx.tree.setArchived(locale, position.path, isArchived)
  return { parent, urls }
}

/** Whoever moves a page that is published changes what is published. */
function moveAction({ copies }: HeldPage) {
  return copies.published ? 'editPublished' : 'editDraft'
}

async function carried(
  ctx: WriteContext,
  page: HeldPage,
  position: TreePosition,
  { parent, given }: { readonly parent: Parent; readonly given: readonly Mode[] },
): Promise<UrlChange[]> {
  const subtree = { locale: page.id.locale, position }
  // What lies in the archive follows nothing, and its slugs may be taken by now.
  if (isInArchive(page.position)) return carrySlugs(ctx, subtree, newSlugs(page, null, parent, []), 'restored')
  if (position.parent === page.position.parent) return []
  const oldParent = await ctx.tx.documents.copies(page.position.parent, page.id.locale)
  const changes = newSlugs(page, oldParent, parent, given)
  return Object.keys(changes).length === 0 ? [] : carrySlugs(ctx, subtree, changes, 'all')
}

/** Slugs below the new parent's, for the copies that followed the old one; `oldParent` null: for all. */
function newSlugs({ copies }: HeldPage, oldParent: Copies | null, parent: Parent, given: readonly Mode[]): SlugChanges {
  return Object.fromEntries(
    MODES.flatMap((mode) => {
      const from = slugOfCopy(copies[mode])
      const parentSlug = slugOfCopy(parent.copies[mode] ?? parent.copies.draft)
      if (from === null || parentSlug === null || given.includes(mode)) return []
      const isFollowing = oldParent === null || followsParent(from, slugOfCopy(oldParent[mode] ?? oldParent.draft))
      return isFollowing ? [[mode, { from, to: joinSlug(parentSlug, ownPart(from)) }]] : []
    }),
  )
}

/** True when a body asks for nothing but a move. */
export function isMoveAlone(body: object): boolean {
  return Object.keys(body).every((name) => name === '_targetId' || name === '_position')
}
