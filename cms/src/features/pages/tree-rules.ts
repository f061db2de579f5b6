import { invalid, notFound } from '../../base/errors.ts'
import type { WriteContext } from '../../engine/context.ts'
import { assertMay, readAccess } from '../../engine/permissions.ts'
import { type Copies, type DocId, DocumentId, type Locale } from '../../model/document.ts'
import type { TreePosition } from '../../store/store.ts'
import { pageType, pageTypes } from './access.ts'

/** The page below which another one is to stand. */
export interface Parent {
  /** The ids from the home page down to it. */
  readonly line: readonly DocId[]
  readonly copies: Copies
}

/** The page above a place, which is not the home page's, in that locale. */
export async function parentOf(ctx: WriteContext, locale: Locale, { parent, path }: TreePosition): Promise<Parent> {
  return { line: path.split('/').slice(0, -1), copies: await ctx.tx.documents.copies(parent, locale) }
}

/**
 * A published page stands below published pages only (decisions 3, 4.2); what is above a published page is published.
 * Throws `invalid`, "Publish the parent page first", with `data.unpublishedAncestors`.
 */
export async function assertParentPublished(
  ctx: WriteContext,
  { line, copies }: Parent,
  locale: Locale,
): Promise<void> {
  if (copies.published) return
  const base = { locale, archived: 'any', visibility: null, docIds: line } as const
  const published = await ctx.tx.tree.pages({ ...base, mode: 'published' })
  const isPublished = new Set(published.map(({ position }) => position.docId))
  const drafts = await ctx.tx.tree.pages({ ...base, mode: 'draft' })
  const unpublishedAncestors = drafts
    .filter(({ position, document }) => !isPublished.has(position.docId) && isSeen(ctx, document.type))
    .map(({ document: { id, type, fields } }) => ({
      _id: DocumentId.format(id),
      aposDocId: id.docId,
      aposLocale: `${id.locale}:${id.mode}`,
      title: fields.title ?? '',
      type,
    }))
  throw invalid('Publish the parent page first.', { unpublishedAncestors })
}

/** Moving needs the right to create under the new parent (decisions 4.2), which the caller must be able to see. */
export function assertMayPlace(ctx: WriteContext, { copies }: Parent): void {
  const parent = copies.draft ?? copies.published
  const type = parent && pageType(ctx, parent.type)
  if (!type || !isSeen(ctx, type.name)) throw notFound('There is no such page to place it by.')
  assertMay(ctx.actor, 'createDraft', type)
}

/** A page that the caller may not see cannot be named to place another one by: it answers like one that is not there. */
export async function assertSeesTarget(ctx: WriteContext, locale: Locale, docId: DocId): Promise<void> {
  if (pageTypes(ctx.site).every((type) => isSeen(ctx, type.name))) return
  const { draft, published } = await ctx.tx.documents.copies(docId, locale)
  const target = draft ?? published
  if (target && !isSeen(ctx, target.type)) throw notFound('There is no such page to place it by.')
}

function isSeen(ctx: WriteContext, typeName: string): boolean {
  const type = pageType(ctx, typeName)
  return type !== null && readAccess(ctx.actor, type) !== null
}
