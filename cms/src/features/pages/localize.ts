import { invalid, notFound } from '../../base/errors.ts'
import type { Context, WriteContext } from '../../engine/context.ts'
import { assertMatch, writtenModes } from '../../engine/documents/copies.ts'
import { type Localization, type Localized, localize, readLocalization } from '../../engine/documents/localize.ts'
import { joinSlug } from '../../engine/documents/slug.ts'
import { pageAccess, pageType, visibilityOf } from '../../engine/pages/access.ts'
import { parkedPage } from '../../engine/pages/parked.ts'
import { write } from '../../engine/write.ts'
import type { Reply, RouteRequest } from '../../http/route.ts'
import { type Copies, DocumentId, type Locale } from '../../model/document.ts'
import type { TreePosition } from '../../store/store.ts'
import { followSlugs } from './follow.ts'
import { type LockedPage, lockAnyCopy } from './locate.ts'
import { copyToChange } from './permit.ts'
import { positionAt } from './position.ts'
import { presentWrittenPage } from './reply.ts'
import { followsParent, ownPart, slugOfCopy } from './slugs.ts'
import { assertParentPublished, type Parent, parentAmong, parentOf, slugAbove } from './tree-rules.ts'
import { recordUrls } from './urls.ts'

/**
 * Copies a page's draft to another locale's draft (§3.4, §4.2), where a new one becomes the last child of its
 * parent, and its slug follows the parent's there if it does here. Throws `invalid` when the parent is not there yet.
 */
export async function localizePage(ctx: Context, { params, body, ifMatch }: RouteRequest): Promise<Reply> {
  const id = copyToChange(ctx, 'editDraft', params._id ?? '')
  const localization = { ...readLocalization(ctx.site, body), ifMatch }
  const { toLocale } = localization
  if (toLocale === id.locale) throw invalid('toLocale must be another locale than the page is in.')
  const { position, document, localized } = await write(ctx, async (ctx) => {
    return copyTo(ctx, await lockAnyCopy(ctx, id, 'editDraft', toLocale), localization)
  })
  const reply = await presentWrittenPage(ctx, document.id, position)
  return reply.with({ localized: localized.map(DocumentId.format) })
}

interface LocalizedPage extends Localized {
  readonly position: TreePosition
}

async function copyTo(ctx: WriteContext, page: LockedPage, localization: Localization): Promise<LocalizedPage> {
  const { docId } = page.id
  const { toLocale } = localization
  const original = page.copies.draft ?? page.document
  const type = pageType(ctx, original.type)
  if (type === null) throw notFound()
  if (original.fields.archived === true) throw invalid('This page is in the archive. Move it out first.')
  const before = await ctx.tx.documents.lockCopies(docId, toLocale)
  const position = (await ctx.tx.read.tree.position(toLocale, docId)) ?? (await positionInLocale(ctx, page, toLocale))
  const parent = position.parent === '' ? null : await parentOf(ctx, toLocale, position)
  assertMatch(localization.ifMatch ?? null, page.document)
  const isPublished = localization.publish || writtenModes(ctx, type, 'draft').includes('published')
  if (parent && isPublished && before.published === null) await assertParentPublished(ctx, parent, toLocale)
  const slug = slugThere(ctx, page, before, parent)
  const options = { ...localization, ...(slug !== null && { slug }), ifMatch: null }
  const localized = await localize(ctx, type, original.id, options)
  const saved = { locale: toLocale, position, before, after: localized.copies }
  await recordUrls(ctx, toLocale, await followSlugs(ctx, saved))
  return { ...localized, position }
}

/** Puts the page under its parent in the other locale. */
async function positionInLocale(ctx: WriteContext, page: LockedPage, toLocale: Locale): Promise<TreePosition> {
  const { parent } = page.position
  const nodes = await ctx.tx.read.tree.nodes(toLocale, [parent])
  if (!nodes.has(parent)) throw await parentMissing(ctx, page, toLocale)
  const position = positionAt(nodes, { docId: page.id.docId, from: null }, { docId: parent, placement: 'lastChild' })
  await ctx.tx.tree.insert(toLocale, position)
  return position
}

async function parentMissing(ctx: WriteContext, { id, position }: LockedPage, toLocale: Locale) {
  const { draft } = await ctx.tx.documents.lockCopies(position.parent, id.locale)
  const name = draft && pageAccess(ctx, visibilityOf(draft)) ? `"${draft.fields.title}" ` : ''
  return invalid(`The parent page ${name}is not in ${toLocale} yet. Localize it first.`, { parentNotLocalized: true })
}

/** A built-in page keeps its slug; one that follows its parent here follows it there; else null: it is copied. */
function slugThere(
  ctx: WriteContext,
  { id, copies, document, position, nodes }: LockedPage,
  before: Copies,
  parent: Parent | null,
): string | null {
  const kept = parkedPage(ctx.site, id.docId)?.fixed.includes('slug') ? slugOfCopy(before.draft) : null
  const parentSlug = slugAbove(parent, 'draft') ?? slugAbove(parent, 'published')
  if (kept !== null || parentSlug === null || position.parent === '') return kept
  const above = parentAmong(nodes, position)
  const slug = slugOfCopy(copies.draft ?? document) ?? ''
  const isFollowing = followsParent(slug, slugAbove(above, 'draft') ?? slugAbove(above, 'published'))
  return isFollowing ? joinSlug(parentSlug, ownPart(slug)) : null
}
