import type { WriteContext } from '../../engine/context.ts'
import type { Copies } from '../../model/document.ts'
import type { HeldPage } from './locate.ts'
import { carrySlugs, rememberUrl, slugChanges, slugOfCopy } from './slugs.ts'

/**
 * After a save: what lies below a page follows its new slug, in the copy that changed, and the old public URL becomes a
 * former one (decisions 4.2).
 */
export async function followSlugs(ctx: WriteContext, page: HeldPage, after: Copies): Promise<void> {
  const { docId, locale } = page.id
  const place = await ctx.tx.tree.place(locale, docId)
  if (place === null) return
  for (const change of slugChanges(page.copies, after)) await carrySlugs(ctx, place, locale, change, 'below')
  const before = slugOfCopy(page.copies.published)
  const slug = slugOfCopy(after.published)
  const isLive = after.published?.fields.archived === false
  if (slug !== null && slug !== before && isLive) await rememberUrl(ctx, docId, locale, before, slug)
}
