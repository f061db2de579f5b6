import type { WriteContext } from '../../engine/context.ts'
import type { Copies, DocId, Locale } from '../../model/document.ts'
import { carrySlugs, slugChanges, slugOfCopy } from './slugs.ts'
import type { UrlChange } from './urls.ts'

/** A page before and after it was saved. */
export interface Saved {
  readonly docId: DocId
  readonly locale: Locale
  readonly before: Copies
  readonly after: Copies
}

/**
 * After a save: what lies below a page follows its new slug, in the copy that changed (decisions 4.2). Answers how
 * published URLs have changed.
 */
export async function followSlugs(ctx: WriteContext, { docId, locale, before, after }: Saved): Promise<UrlChange[]> {
  const changes = slugChanges(before, after)
  const position = Object.keys(changes).length === 0 ? null : await ctx.tx.tree.position(locale, docId)
  const carried = position === null ? [] : await carrySlugs(ctx, { locale, position }, changes, 'below')
  return [...ownUrl(docId, before, after), ...carried]
}

function ownUrl(docId: DocId, before: Copies, after: Copies): UrlChange[] {
  const from = slugOfCopy(before.published)
  const to = slugOfCopy(after.published)
  return to === null || to === from || after.published?.fields.archived === true ? [] : [{ docId, from, to }]
}
