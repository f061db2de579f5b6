import { invalid, notFound } from '../../base/errors.ts'
import type { Context, WriteContext } from '../../engine/context.ts'
import { assertMatch, writtenModes } from '../../engine/documents/copies.ts'
import {
  isSet,
  type Localization,
  type Localized,
  localize,
  readLocalization,
} from '../../engine/documents/localize.ts'
import { joinSlug } from '../../engine/documents/slug.ts'
import { assertSees, pageAccess, pageType, visibilityOf } from '../../engine/pages/access.ts'
import { parkedPage } from '../../engine/pages/parked.ts'
import { type Action, assertMay } from '../../engine/permissions.ts'
import { write } from '../../engine/write.ts'
import type { Reply, RouteRequest } from '../../http/route.ts'
import { type Copies, DocumentId, type Locale } from '../../model/document.ts'
import type { PageCopy, TreePosition } from '../../store/store.ts'
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
  const copy = isSet(body, 'subtree') ? copySubtree : copyPage
  const { position, document, localized } = await write(ctx, (ctx) => copy(ctx, id, localization))
  const reply = await presentWrittenPage(ctx, document.id, position)
  return reply.with({ localized: localized.map(DocumentId.format) })
}

/** Copies one page to another locale, in a transaction; see `localizePage`. */
export async function copyPage(ctx: WriteContext, id: DocumentId, localization: Localization): Promise<LocalizedPage> {
  const { toLocale } = localization
  if (toLocale === id.locale) throw invalid('toLocale must be another locale than the page is in.')
  return copyTo(ctx, await lockAnyCopy(ctx, id, 'editDraft', toLocale), localization)
}

/**
 * Copies a page and everything below it, but what is archived. The rights to do so are asked for all pages before the
 * first is copied. Pages that are there already stay as they are, unless `update` says otherwise.
 */
async function copySubtree(ctx: WriteContext, id: DocumentId, localization: Localization): Promise<LocalizedPage> {
  const { toLocale, update, publish } = localization
  if (toLocale === id.locale) throw invalid('toLocale must be another locale than the page is in.')
  const root = await lockAnyCopy(ctx, id, 'editDraft', toLocale)
  assertNotArchived(root)
  assertMatch(localization.ifMatch ?? null, root.document)
  const copies = (await ctx.tx.read.tree.copiesBelow(id.locale, root.position.path)).filter((one) => !one.isArchived)
  assertMayCopy(ctx, copies, publish ? 'publish' : 'editDraft')
  const docIds = [...new Set(copies.map(({ docId }) => docId))]
  const most = ctx.site.limits.ids
  if (docIds.length > most) {
    throw invalid(`At most ${most} pages can be localized together, and these are ${docIds.length}. Do it in parts.`)
  }
  const there = update ? new Map() : await ctx.tx.read.tree.nodes(toLocale, docIds)
  const made: LocalizedPage[] = []
  for (const docId of docIds.filter((one) => !there.has(one))) {
    made.push(await copyPage(ctx, { ...id, docId }, { ...localization, ifMatch: null }))
  }
  return wholeOf(ctx, { docId: id.docId, locale: toLocale }, made)
}

function assertNotArchived({ document }: LockedPage): void {
  if (document.fields.archived === true) throw invalid('This page is in the archive. Move it out first.')
}

function assertMayCopy(ctx: WriteContext, copies: readonly PageCopy[], action: Action): void {
  for (const name of new Set(copies.map(({ type }) => type))) {
    const type = pageType(ctx, name)
    if (type === null) throw notFound()
    assertSees(ctx, type)
    assertMay(ctx.actor, action, type)
  }
}

/** The page that was named as it is there, and all else that was made. */
async function wholeOf(
  ctx: WriteContext,
  { docId, locale }: Pick<DocumentId, 'docId' | 'locale'>,
  made: readonly LocalizedPage[],
): Promise<LocalizedPage> {
  const [first] = made
  const others = made.flatMap(({ document: { id }, localized }) =>
    id.docId === docId ? localized : [id, ...localized],
  )
  if (first?.document.id.docId === docId) return { ...first, localized: others }
  const position = await ctx.tx.read.tree.position(locale, docId)
  const copies = await ctx.tx.documents.lockCopies(docId, locale)
  const document = copies.draft ?? copies.published
  if (position === null || document === null) throw notFound()
  return { document, copies, position, localized: others }
}

/** A page that was copied, and its position there. */
export interface LocalizedPage extends Localized {
  readonly position: TreePosition
}

async function copyTo(ctx: WriteContext, page: LockedPage, localization: Localization): Promise<LocalizedPage> {
  const { docId } = page.id
  const { toLocale } = localization
  const original = page.copies.draft ?? page.document
  const type = pageType(ctx, original.type)
  if (type === null) throw notFound()
  assertNotArchived(page)
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
