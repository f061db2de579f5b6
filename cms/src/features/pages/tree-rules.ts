import { invalid } from '../../base/errors.ts'
import type { WriteContext } from '../../engine/context.ts'
import { assertMay } from '../../engine/permissions.ts'
import { type Copies, DocumentId, type Locale } from '../../model/document.ts'
import type { Place } from '../../store/store.ts'
import { pageType } from './locate.ts'

/**
 * A published page stands below published pages only (decisions 3, 4.2). Throws `invalid`, "Publish the parent page
 * first", with `data.unpublishedAncestors`.
 */
export async function assertParentPublished(ctx: WriteContext, parent: Place, locale: Locale): Promise<void> {
  const line = parent.path.split('/')
  const base = { locale, archived: 'any', visibility: null, docIds: line } as const
  const published = await ctx.tx.tree.pages({ ...base, mode: 'published' })
  if (published.length === line.length) return
  const isPublished = new Set(published.map(({ place }) => place.docId))
  const drafts = await ctx.tx.tree.pages({ ...base, mode: 'draft' })
  const unpublishedAncestors = drafts
    .filter(({ place }) => !isPublished.has(place.docId))
    .map(({ document: { id, type, fields } }) => ({
      _id: DocumentId.format(id),
      aposDocId: id.docId,
      aposLocale: `${id.locale}:${id.mode}`,
      title: fields.title ?? '',
      type,
    }))
  throw invalid('Publish the parent page first.', { unpublishedAncestors })
}

/** Moving needs the right to create under the new parent (decisions 4.2). */
export function assertMayPlace(ctx: WriteContext, parents: Copies): void {
  const parent = parents.draft ?? parents.published
  const type = parent && pageType(ctx, parent.type)
  if (type) assertMay(ctx.actor, 'createDraft', type)
}
