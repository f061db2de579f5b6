import type { WriteContext } from '../../engine/context.ts'
import { announceTreeChanges, type TreeChange } from '../../engine/save/tree-changes.ts'
import type { Copies, DocId, Locale } from '../../model/terms/document.ts'
import type { TreePosition } from '../../store/contract/store.ts'
import { planSlugs, slugChanges, slugOfCopy, urlChangesOf, writeSlugs } from './slugs.ts'
import type { UrlChange } from './urls.ts'

/** A page before and after it was saved. */
export interface SavedPage {
  readonly locale: Locale
  readonly position: TreePosition
  readonly before: Copies
  readonly after: Copies
}

/**
 * After a save: what lies below a page follows its new slug, in the copy that changed (§4.2). Returns how published
 * URLs have changed.
 */
export async function followSlugs(ctx: WriteContext, saved: SavedPage): Promise<UrlChange[]> {
  const { position, before, after } = saved
  return [...ownUrl(position.docId, before, after), ...(await carrySlugs(ctx, saved))]
}

async function carrySlugs(ctx: WriteContext, { locale, position, before, after }: SavedPage): Promise<UrlChange[]> {
  const changes = slugChanges(before, after)
  if (Object.keys(changes).length === 0) return []
  const copies = await ctx.tx.read.tree.copiesBelow(locale, position.path)
  const plan = await planSlugs(ctx, locale, copies, { rootId: position.docId, changes, carried: 'below' })
  const carried = plan.flatMap(({ copy, slug }): TreeChange[] => {
    return slug === copy.slug ? [] : [{ copy, reason: 'carried', after: { slug, archived: copy.isArchived } }]
  })
  await announceTreeChanges(ctx, locale, carried)
  await writeSlugs(ctx, locale, copies, plan)
  return urlChangesOf(plan)
}

function ownUrl(docId: DocId, before: Copies, after: Copies): UrlChange[] {
  const from = slugOfCopy(before.published)
  const to = slugOfCopy(after.published)
  return to === null || to === from || after.published?.fields.archived === true ? [] : [{ docId, from, to }]
}
