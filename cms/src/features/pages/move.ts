import { invalid } from '../../base/errors.ts'
import type { WriteContext } from '../../engine/context.ts'
import { assertMay } from '../../engine/permissions.ts'
import { joinSlug } from '../../engine/slug.ts'
import type { Copies, Mode } from '../../model/document.ts'
import type { Place } from '../../store/store.ts'
import { type HeldPage, pageDocId } from './locate.ts'
import { archiveId, homeId, parkedPage } from './parked.ts'
import { isWithin, type Landing, landing, type Target } from './position.ts'
import { carrySlugs, followsParent, ownPart, slugOfCopy } from './slugs.ts'
import { assertMayPlace, assertParentPublished } from './tree-rules.ts'

const MODES: readonly Mode[] = ['draft', 'published']

/**
 * Moves a page with everything below it (§4.2), into the archive and out of it too. Draft and published move together;
 * slugs that followed the old parent follow the new one, unless the request gives one. Throws `invalid`, the tree untouched, for what cannot be.
 */
export async function movePage(
  ctx: WriteContext,
  page: HeldPage,
  target: Target,
  slugs: 'follow' | 'given',
): Promise<void> {
  const { locale } = page.id
  assertMovable(ctx, page)
  const to = await landing(
    ctx,
    locale,
    { docId: page.id.docId, from: page.place },
    { docId: pageDocId(target.targetId), position: target.position },
    { homeId, archiveId },
  )
  const archive = await ctx.tx.tree.place(locale, archiveId)
  const wasArchived = archive !== null && isWithin(page.place, archive)
  const isArchived = archive !== null && isWithin(to.place, archive)
  assertMay(ctx.actor, moveAction(page, isArchived !== wasArchived), page.type)
  const parents = await ctx.tx.documents.copies(to.parent.docId, locale)
  assertMayPlace(ctx, parents)
  if (page.copies.published) await assertParentPublished(ctx, to.parent, locale)
  await ctx.tx.tree.move(locale, page.place, to.place)
  if (isArchived !== wasArchived) await ctx.tx.tree.setArchived(locale, to.place.path, isArchived)
  if (slugs === 'follow' && !isArchived && to.parent.docId !== page.place.parent) {
    await followParent(ctx, page, to, {
      before: await oldParents(ctx, page.place, locale, wasArchived),
      after: parents,
    })
  }
}

function assertMovable(ctx: WriteContext, { id }: HeldPage): void {
  if (id.docId === homeId) throw invalid('The home page cannot be moved or archived.')
  if (id.docId === archiveId) throw invalid('The archive cannot be moved.')
  if (parkedPage(ctx.site, id.docId)) throw invalid('This page is built in: its place is fixed.')
}

/** Whoever moves a page that is published changes what is published. */
function moveAction({ copies }: HeldPage, changesArchive: boolean) {
  if (changesArchive) return 'archive'
  return copies.published ? 'editPublished' : 'editDraft'
}

/** What lies in the archive follows nothing; its slugs are still those of the place it had. */
async function oldParents(
  ctx: WriteContext,
  place: Place,
  locale: string,
  wasArchived: boolean,
): Promise<Copies | null> {
  return wasArchived ? null : ctx.tx.documents.copies(place.parent, locale)
}

async function followParent(
  ctx: WriteContext,
  page: HeldPage,
  { parent, place }: Landing,
  { before, after }: { readonly before: Copies | null; readonly after: Copies },
): Promise<void> {
  for (const mode of MODES) {
    const from = slugOfCopy(page.copies[mode])
    const parentSlug = slugOfCopy(after[mode] ?? after.draft)
    if (from === null || parentSlug === null || parent.docId === archiveId) continue
    const oldSlug = before && slugOfCopy(before[mode] ?? before.draft)
    const isFollowing = before === null || followsParent(from, oldSlug)
    const to = isFollowing ? joinSlug(parentSlug, ownPart(from)) : from
    await carrySlugs(ctx, place, page.id.locale, { mode, from, to }, 'all')
  }
}
