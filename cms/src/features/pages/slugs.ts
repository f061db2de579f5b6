import type { WriteContext } from '../../engine/context.ts'
import { freeSlugAmong, joinSlug } from '../../engine/slug.ts'
import type { Copies, Document, Mode } from '../../model/document.ts'
import type { PageSlug, Place } from '../../store/store.ts'

const MODES: readonly Mode[] = ['draft', 'published']

/** The last part of a slug: what is the page's own. */
export function ownPart(slug: string): string {
  return slug.slice(slug.lastIndexOf('/') + 1)
}

export function slugOfCopy(copy: Document | null): string | null {
  return typeof copy?.fields.slug === 'string' ? copy.fields.slug : null
}

/** True when a page's slug is its parent's and one part more: then it moves with the parent. */
export function followsParent(slug: string, parentSlug: string | null): boolean {
  return parentSlug !== null && slug === joinSlug(parentSlug, ownPart(slug))
}

/** A copy of a page whose slug has changed from one to another; what lies below it follows. */
export interface SlugChange {
  readonly mode: Mode
  readonly from: string
  readonly to: string
}

/** The copies whose stored slug was changed by a save. */
export function slugChanges(before: Copies, after: Copies): SlugChange[] {
  return MODES.flatMap((mode) => {
    const from = slugOfCopy(before[mode])
    const to = slugOfCopy(after[mode])
    return from === null || to === null || from === to ? [] : [{ mode, from, to }]
  })
}

/**
 * Gives all descendants whose slug began with the old one their new slugs (decisions 4.2), and with `all` the page too,
 * whose own slug otherwise is stored already; a taken one gets a number. Published URLs that change are remembered as
 * former ones. A constant number of statements.
 */
export async function carrySlugs(
  ctx: WriteContext,
  place: Place,
  locale: string,
  { mode, from, to }: SlugChange,
  reach: 'all' | 'below',
): Promise<void> {
  const below = await ctx.tx.tree.slugsBelow(locale, mode, place.path)
  const carried = below.filter(({ docId, slug }) => {
    if (docId === place.docId) return reach === 'all'
    return slug.startsWith(`${from}/`)
  })
  const renamed = await withFreeSlugs(ctx, locale, mode, { from, to, carried })
  await ctx.tx.tree.rename(renamed)
  if (mode === 'published') await rememberUrls(ctx, locale, carried, renamed)
}

/** A published URL has changed or is new: others lose it as a former one, and the page's old one is remembered. */
export async function rememberUrl(
  ctx: WriteContext,
  docId: string,
  locale: string,
  before: string | null,
  slug: string,
) {
  if (before !== null && before !== slug) {
    await ctx.tx.tree.keepFormerUrls(locale, [{ docId, slug: before }], ctx.now().toISOString())
  }
  await ctx.tx.tree.claimUrls(locale, [slug])
}

async function withFreeSlugs(
  ctx: WriteContext,
  locale: string,
  mode: Mode,
  { from, to, carried }: { readonly from: string; readonly to: string; readonly carried: readonly PageSlug[] },
): Promise<PageSlug[]> {
  const leaving = new Set(carried.map(({ slug }) => slug))
  const stored = await ctx.tx.documents.slugsLike({ type: '', locale, mode }, to, '')
  const taken = new Set([...stored].filter((slug) => !leaving.has(slug)))
  return carried.map((page) => {
    const slug = freeSlugAmong(taken, to + page.slug.slice(from.length))
    if (!page.isArchived) taken.add(slug)
    return { ...page, slug }
  })
}

async function rememberUrls(
  ctx: WriteContext,
  locale: string,
  before: readonly PageSlug[],
  after: readonly PageSlug[],
) {
  const live = before.filter(({ isArchived }) => !isArchived)
  await ctx.tx.tree.keepFormerUrls(locale, live, ctx.now().toISOString())
  await ctx.tx.tree.claimUrls(
    locale,
    after.filter(({ isArchived }) => !isArchived).map(({ slug }) => slug),
  )
}
