import type { WriteContext } from '../../engine/context.ts'
import type { DocId, Locale } from '../../model/terms/document.ts'
import type { FormerUrl } from '../../store/contract/store.ts'

/** The published slug of a visible page, before (null when it was not visible) and after. */
export interface UrlChange {
  readonly docId: DocId
  readonly from: string | null
  readonly to: string
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
