import { type Copies, stateOf } from '../../model/terms/document.ts'
import type { DocId, Locale } from '../../model/terms/document-id.ts'
import type { FormerUrl, TreePosition } from '../../store/contract/store.ts'
import type { WriteContext } from '../context.ts'
import { recordTreeChange } from '../save/save-hooks.ts'
import { announceTreeChanges, type TreeChange } from '../save/tree-changes.ts'
import { planSlugs, slugChanges, slugOfCopy, type UrlChange, urlChangesOf, writeSlugs } from './page-slugs.ts'

/** A page before and after it was saved. */
interface SavedPage {
  readonly locale: Locale
  readonly position: TreePosition
  readonly before: Copies
  readonly after: Copies
}

/**
 * Lets the pages below a saved one follow its new slug, in the copy that changed (§4.2). Returns how published URLs
 * have changed.
 */
export async function followSlugs(ctx: WriteContext, saved: SavedPage): Promise<UrlChange[]> {
  const { position, before, after } = saved
  return [...ownUrl(position.docId, before, after), ...(await carrySlugs(ctx, saved))]
}

async function carrySlugs(ctx: WriteContext, { locale, position, before, after }: SavedPage): Promise<UrlChange[]> {
  const changes = slugChanges(before, after)
  if (Object.keys(changes).length === 0) return []
  recordTreeChange(ctx)
  const copies = await ctx.tx.read.tree.copiesBelow(locale, position.path)
  const plan = await planSlugs(ctx, { locale, copies }, { rootId: position.docId, changes, carried: 'below' })
  const carried = plan.flatMap(({ copy, slug }): TreeChange[] => {
    return slug === copy.slug ? [] : [{ copy, reason: 'carried', after: { slug, archived: copy.isArchived } }]
  })
  await announceTreeChanges(ctx, locale, carried)
  await writeSlugs(ctx, { locale, copies }, plan)
  return urlChangesOf(plan)
}

function ownUrl(docId: DocId, before: Copies, after: Copies): UrlChange[] {
  const from = slugOfCopy(before.published)
  const to = slugOfCopy(after.published)
  return to === null || to === from || (after.published && stateOf(after.published).isArchived)
    ? []
    : [{ docId, from, to }]
}

/**
 * Records former published URLs, and drops those that pages have again (§4.2). Changes of one
 * page are in order, and count as one from the first to the last. At most two statements.
 */
export async function recordUrls(ctx: WriteContext, locale: Locale, changes: readonly UrlChange[]): Promise<void> {
  const whole = new Map<DocId, UrlChange>()
  for (const change of changes) {
    const first = whole.get(change.docId) ?? change
    whole.set(change.docId, { ...change, from: first.from })
  }
  // Pages that were archived one after another may have had the same URL: it leads to one of them.
  const former = new Map<string, FormerUrl>()
  for (const { docId, from, to } of whole.values()) {
    if (from !== null && from !== to) former.set(from, { docId, slug: from })
  }
  await ctx.tx.tree.recordFormerUrls(locale, [...former.values()], ctx.now().toISOString())
  await ctx.tx.tree.claimUrls(
    locale,
    [...whole.values()].map(({ to }) => to),
  )
}
