import { invalid, notFound } from '../../base/errors.ts'
import { joinSlug } from '../../base/text.ts'
import type { OpenCopies } from '../../model/terms/document.ts'
import type { DocId, DocumentId, Locale } from '../../model/terms/document-id.ts'
import type { PageCopy, TreePosition } from '../../store/contract/store.ts'
import type { WriteContext } from '../context.ts'
import { followSlugs, recordUrls } from '../pages/follow.ts'
import { type LockedPage, lockAnyCopies, lockAnyCopy, type TreeNodes } from '../pages/locate-page.ts'
import { assertSees, pageAccess, pageType, visibilityOf } from '../pages/page-access.ts'
import { followsParent, ownPart, slugOfCopy, type UrlChange } from '../pages/page-slugs.ts'
import { parkedPage } from '../pages/parked.ts'
import { isInArchive, positionAt } from '../pages/position.ts'
import { assertParentPublished, type Parent, parentAmong, slugAbove } from '../pages/tree-rules.ts'
import { type Action, assertMay } from '../permissions.ts'
import { NO_COPIES } from '../save/change.ts'
import { assertMatch, writtenModes } from '../save/copies.ts'
import { inParts } from '../save/save.ts'
import { recordTreeChange } from '../save/save-hooks.ts'
import type { Localization } from './localization.ts'
import { type Localized, type LocalizeSource, localizeMany } from './localize.ts'

/**
 * Copies a page's draft to another locale's draft (§3.4, §4.2), where a new one becomes the last child of its
 * parent, and its slug follows the parent's there if it does here. Throws `invalid` when the parent is not there yet.
 */
export async function localizePage(
  ctx: WriteContext,
  id: DocumentId,
  localization: Localization,
): Promise<LocalizedPage> {
  const [copied] = await localizePages(ctx, [id], localization)
  if (copied === undefined) throw notFound()
  return copied
}

/**
 * Copies a page and everything below it. What is archived is left out, unless the page itself is archived, and then
 * stays archived. The rights to all pages are checked before the first is copied. Pages that the other locale has already
 * stay as they are, unless `update` says otherwise.
 */
export async function localizeSubtree(
  ctx: WriteContext,
  id: DocumentId,
  localization: Localization,
): Promise<LocalizedPage> {
  const { toLocale, update, publish } = localization
  if (toLocale === id.locale) throw invalid('toLocale must be another locale than the page is in.')
  const root = await lockAnyCopy(ctx, id, { action: 'editDraft', otherLocale: toLocale })
  assertMatch(localization.ifMatch ?? null, root.document)
  const below = await ctx.tx.read.tree.copiesBelow(id.locale, root.position.path)
  const copies = isInArchive(root.position) ? below : below.filter((one) => !one.isArchived)
  assertMayCopy(ctx, copies, publish ? 'publish' : 'editDraft')
  const docIds = [...new Set(copies.map(({ docId }) => docId))]
  const most = ctx.site.limits.ids
  if (docIds.length > most) {
    throw invalid(`At most ${most} pages can be localized together, and these are ${docIds.length}. Do it in parts.`)
  }
  const existing = update ? new Map() : await ctx.tx.read.tree.nodes(toLocale, docIds)
  const made: LocalizedPage[] = []
  const missing = copies.filter(({ docId }) => !existing.has(docId))
  for (const part of await partsByLevel(ctx, id.locale, missing)) {
    const ids = part.map((docId) => ({ ...id, docId }))
    made.push(...(await localizePages(ctx, ids, { ...localization, ifMatch: null })))
  }
  return wholeOf(ctx, { docId: id.docId, locale: toLocale }, made)
}

/** Pages that are copied together: never with their parents, whose slugs they follow. */
async function partsByLevel(ctx: WriteContext, locale: Locale, copies: readonly PageCopy[]): Promise<DocId[][]> {
  const levels = new Map<DocId, number>()
  for (const { docId, parent } of copies) levels.set(docId, (levels.get(parent) ?? 0) + 1)
  const types = [...new Set(copies.map(({ type }) => type))].flatMap((name) => pageType(ctx, name) ?? [])
  const parts: DocId[][] = []
  for (const docIds of Map.groupBy(levels.keys(), (docId) => levels.get(docId)).values()) {
    parts.push(...(await inParts(ctx, docIds, { read: ctx.tx.read.documents, locale, types })))
  }
  return parts
}

function assertMayCopy(ctx: WriteContext, copies: readonly PageCopy[], action: Action): void {
  for (const name of new Set(copies.map(({ type }) => type))) {
    const type = pageType(ctx, name)
    if (type === null) throw notFound()
    assertSees(ctx, type)
    assertMay(ctx.actor, action, type)
  }
}

/** The page that was named as it is there, and everything else that was made. */
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
interface LocalizedPage extends Localized {
  readonly position: TreePosition
}

/** Copies pages that stand on one level of the tree of one locale. */
async function localizePages(
  ctx: WriteContext,
  ids: readonly DocumentId[],
  localization: Localization,
): Promise<LocalizedPage[]> {
  const { toLocale } = localization
  const pages = await lockAnyCopies(ctx, ids, { action: 'editDraft', otherLocale: toLocale })
  const docIds = pages.map(({ id }) => id.docId)
  const parents = pages.map(({ position }) => position.parent)
  const before = await ctx.tx.documents.lockMany(docIds, toLocale)
  const nodes = await ctx.tx.read.tree.nodes(toLocale, [...new Set([...docIds, ...parents])])
  const positions = await positionsInLocale(ctx, pages, { toLocale, nodes })
  const sources: (LocalizeSource & { readonly before: OpenCopies })[] = []
  for (const [index, page] of pages.entries()) {
    const position = positions[index]
    if (position === undefined) throw notFound()
    assertMatch(localization.ifMatch ?? null, page.document)
    const there = { position, nodes, before: before.get(page.id.docId) ?? NO_COPIES }
    sources.push(await sourceOf(ctx, page, { ...localization, there }))
  }
  const localized = await localizeMany(ctx, sources, { ...localization, ifMatch: null })
  return followPages(ctx, toLocale, { localized, positions, before })
}

/** Where a page stands in the other locale, and its copies there. */
interface PlaceThere {
  readonly position: TreePosition
  readonly nodes: TreeNodes
  readonly before: OpenCopies
}

/** A page to copy: with the slug that it gets there. A page that is published there needs a published parent. */
async function sourceOf(
  ctx: WriteContext,
  page: LockedPage,
  { toLocale, publish, asDraft = false, there }: Localization & { readonly there: PlaceThere },
): Promise<LocalizeSource & { readonly before: OpenCopies }> {
  const { position, nodes, before } = there
  const original = page.copies.draft ?? page.document
  const type = pageType(ctx, original.type)
  if (type === null) throw notFound()
  const parent = position.parent === '' ? null : parentAmong(nodes, position)
  const isPublished = publish || (!asDraft && writtenModes(ctx, type, 'draft').includes('published'))
  if (parent && isPublished && before.published === null) await assertParentPublished(ctx, parent, toLocale)
  const slug = slugThere(ctx, page, { before, parent })
  return { type, id: original.id, source: page.copies, before, slug, isArchived: isInArchive(position) }
}

/** Lets the pages below copied ones follow their slugs, and records former URLs. */
async function followPages(
  ctx: WriteContext,
  locale: Locale,
  pages: {
    readonly localized: readonly Localized[]
    readonly positions: readonly TreePosition[]
    readonly before: ReadonlyMap<DocId, OpenCopies>
  },
): Promise<LocalizedPage[]> {
  const changes: UrlChange[] = []
  const copied = pages.localized.flatMap((one, index) => {
    const position = pages.positions[index]
    return position === undefined ? [] : [{ ...one, position }]
  })
  for (const { position, copies } of copied) {
    const before = pages.before.get(position.docId) ?? NO_COPIES
    changes.push(...(await followSlugs(ctx, { locale, position, before, after: copies })))
  }
  await recordUrls(ctx, locale, changes)
  return copied
}

/** Returns the positions of the pages in the other locale; new ones are put under their parents there. */
async function positionsInLocale(
  ctx: WriteContext,
  pages: readonly LockedPage[],
  { toLocale, nodes }: { readonly toLocale: Locale; readonly nodes: TreeNodes },
): Promise<TreePosition[]> {
  const added = new Map<DocId, TreePosition[]>()
  const positions: TreePosition[] = []
  for (const page of pages) {
    const known = nodes.get(page.id.docId)?.position
    if (known !== undefined) positions.push(known)
    else {
      const { parent } = page.position
      if (!nodes.has(parent)) throw await parentMissing(ctx, page, toLocale)
      const first = positionAt(nodes, { docId: page.id.docId, from: null }, { docId: parent, placement: 'lastChild' })
      const siblings = added.get(parent) ?? []
      const position = { ...first, rank: first.rank + siblings.length }
      added.set(parent, [...siblings, position])
      positions.push(position)
    }
  }
  await ctx.tx.tree.insertMany(toLocale, [...added.values()].flat())
  recordTreeChange(ctx)
  return positions
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
  { before, parent }: { readonly before: OpenCopies; readonly parent: Parent | null },
): string | null {
  const kept = parkedPage(ctx.site, id.docId)?.fixed.includes('slug') ? slugOfCopy(before.draft) : null
  const parentSlug = slugAbove(parent, 'draft') ?? slugAbove(parent, 'published')
  if (kept !== null || parentSlug === null || position.parent === '') return kept
  const above = parentAmong(nodes, position)
  const slug = slugOfCopy(copies.draft ?? document) ?? ''
  const isFollowing = followsParent(slug, slugAbove(above, 'draft') ?? slugAbove(above, 'published'))
  return isFollowing ? joinSlug(parentSlug, ownPart(slug)) : null
}
