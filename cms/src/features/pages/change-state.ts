import { invalid, notFound } from '../../base/errors.ts'
import type { Context, WriteContext } from '../../engine/context.ts'
import { type Localization, localize, readLocalization } from '../../engine/localize.ts'
import { assertMay } from '../../engine/permissions.ts'
import { publish, revertDraft, unpublish } from '../../engine/publish.ts'
import { joinSlug } from '../../engine/slug.ts'
import { write } from '../../engine/write.ts'
import type { Reply } from '../../http/route.ts'
import type { Document, DocumentId } from '../../model/document.ts'
import { followSlugs } from './follow.ts'
import { type HeldPage, holdPage, locatePage, pageType } from './locate.ts'
import { archiveId, homeId } from './parked.ts'
import { landing } from './position.ts'
import { presentWrittenPage } from './read.ts'
import { followsParent, ownPart, slugOfCopy } from './slugs.ts'
import { assertParentPublished } from './tree-rules.ts'

type Body = { readonly [name: string]: unknown }
type Work = (ctx: WriteContext, page: HeldPage, body: Body) => Promise<Document>

/** The sub-routes of a page (§4.2 publish, decisions 3), by the last step of their path. */
export const pageStateChanges = {
  publish: publishPage,
  unpublish: unpublishPage,
  'revert-draft-to-published': revertPage,
  localize: localizePage,
} as const satisfies Record<string, Work>

/** Changes the state of one page, and answers it as it is now. */
export async function changePageState(ctx: Context, work: Work, idText: string, body: Body): Promise<Reply> {
  const id = locatePage(ctx, idText)
  const document = await write(ctx, async (ctx) => work(ctx, await holdAny(ctx, id), body))
  return presentWrittenPage(ctx, document.id)
}

/** `:_id` may name either copy, whichever there is. */
async function holdAny(ctx: WriteContext, id: DocumentId): Promise<HeldPage> {
  const copies = await ctx.tx.documents.copies(id.docId, id.locale)
  const any = copies[id.mode] ?? copies.draft ?? copies.published
  if (!any) throw notFound()
  return holdPage(ctx, any.id)
}

async function publishPage(ctx: WriteContext, page: HeldPage): Promise<Document> {
  const { docId, locale } = page.id
  assertMay(ctx.actor, 'publish', page.type)
  const parent = page.place.parent === '' ? null : await ctx.tx.tree.place(locale, page.place.parent)
  if (parent) await assertParentPublished(ctx, parent, locale)
  // A draft may have become a page of another type.
  const type = pageType(ctx, (page.copies.draft ?? page.document).type) ?? page.type
  const published = await publish(ctx, { type, docId, locale })
  await followSlugs(ctx, page, { draft: page.copies.draft, published })
  return published
}

async function unpublishPage(ctx: WriteContext, page: HeldPage): Promise<Document> {
  const { docId, locale } = page.id
  assertMay(ctx.actor, 'publish', page.type)
  if (docId === homeId || docId === archiveId) throw invalid('This page is built in: it is always published.')
  const children = await ctx.tx.tree.countChildren(locale, docId, 'published')
  if (children > 0) throw invalid('This page has published children. Unpublish them first.')
  return unpublish(ctx, { type: page.type, docId, locale })
}

async function revertPage(ctx: WriteContext, page: HeldPage): Promise<Document> {
  const { docId, locale } = page.id
  const draft = await revertDraft(ctx, { type: page.type, docId, locale })
  await followSlugs(ctx, page, { draft, published: page.copies.published })
  return draft
}

async function localizePage(ctx: WriteContext, page: HeldPage, body: Body): Promise<Document> {
  const localization = readLocalization(ctx.site, body.toLocale, body.update)
  const { toLocale } = localization
  assertMay(ctx.actor, 'editDraft', page.type)
  if (page.document.fields.archived === true) throw invalid('This page is in the archive. Move it out first.')
  await ctx.tx.tree.hold(toLocale)
  const isThere = (await ctx.tx.tree.place(toLocale, page.id.docId)) !== null
  const parentSlug = isThere ? null : await placeInLocale(ctx, page, localization)
  const slug = parentSlug === null ? {} : { slug: joinSlug(parentSlug, ownPart(slugOfCopy(page.document) ?? '')) }
  return localize(ctx, page.type, page.id, { ...localization, ...slug })
}

/** Puts the page under its parent in the other locale; the parent's slug there when the page's own follows it here. */
async function placeInLocale(ctx: WriteContext, page: HeldPage, { toLocale }: Localization): Promise<string | null> {
  const { docId, locale } = page.id
  const parents = await ctx.tx.documents.copies(page.place.parent, locale)
  const parentThere = await ctx.tx.documents.copies(page.place.parent, toLocale)
  const target = parentThere.draft ?? parentThere.published
  if (!target) {
    const title = String(parents.draft?.fields.title ?? '')
    throw invalid(`The parent page "${title}" is not in ${toLocale} yet. Localize it first.`, {
      parentNotLocalized: true,
    })
  }
  const { place } = await landing(
    ctx,
    toLocale,
    { docId, from: null },
    { docId: page.place.parent, position: 'lastChild' },
    { homeId, archiveId },
  )
  await ctx.tx.tree.insert(toLocale, place)
  const isFollowing = followsParent(slugOfCopy(page.document) ?? '', slugOfCopy(parents[page.id.mode] ?? parents.draft))
  return isFollowing ? slugOfCopy(target) : null
}
