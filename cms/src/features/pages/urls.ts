import type { WriteContext } from '../../engine/context.ts'
import type { DocId, Locale } from '../../model/document.ts'

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
    whole.set(change.docId, { ...change, from: whole.get(change.docId)?.from ?? change.from })
  }
  const former = [...whole.values()].flatMap(({ docId, from, to }) => {
    return from === null || from === to ? [] : [{ docId, slug: from }]
  })
  await ctx.tx.tree.recordFormerUrls(locale, former, ctx.now().toISOString())
  await ctx.tx.tree.claimUrls(
    locale,
    [...whole.values()].map(({ to }) => to),
  )
}
