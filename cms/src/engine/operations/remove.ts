import { invalid } from '../../base/errors.ts'
import type { Type } from '../../model/declared/types.ts'
import type { DocumentId } from '../../model/terms/document.ts'
import { applyAccountChange } from '../access/accounts.ts'
import type { WriteContext } from '../context.ts'
import { assertMay, type Viewer } from '../permissions.ts'
import { noteChanges } from '../save/content-changes.ts'
import { assertMatch, assertMayOverwrite, type Target, target } from '../save/copies.ts'
import { noteWrite } from '../save/hooked-writes.ts'

/**
 * Removes a document in one locale for good (§4.1 DELETE): both copies, history, references. Throws `forbidden` where
 * the caller may delete only drafts that were never published, `invalid` for a draft whose published copy exists, and
 * for singletons.
 */
export async function remove(ctx: WriteContext, type: Type, id: DocumentId, ifMatch: string | null): Promise<void> {
  assertMay(ctx.actor, id.mode === 'draft' ? 'deleteDraft' : 'deletePublished', type)
  if (type.singleton) throw invalid(`${type.label} is a singleton: it cannot be deleted.`)
  const found = await target(ctx, type, id)
  const { copies, document } = found
  assertMayRemove(ctx, found)
  assertMatch(ifMatch, document)
  if (id.mode === 'draft' && copies.published)
    throw invalid('This draft has a published copy. Delete the published document, or unpublish it first.')
  const removed = [copies.draft, copies.published].filter((copy) => copy !== null)
  await ctx.hooks.run('beforeRemove', { type, removed }, ctx)
  await ctx.tx.documents.remove(removed.map((copy) => copy.id))
  noteWrite(ctx, id, 'removed')
  const attachments = await ctx.tx.versions.removeOf(id.docId, id.locale)
  // Also while the type has no scheduling: a document that is imported with the same id must not get it.
  if (type.localized) await ctx.tx.schedules.remove(id.docId, id.locale)
  await applyAccountChange(ctx, type, copies.published, null)
  const event = { type, removed, attachments }
  const modes = removed.map((copy) => copy.id.mode)
  await noteChanges(ctx, [{ reason: 'removed', type: type.name, docId: id.docId, locale: id.locale, modes }])
  ctx.afterCommit((ctx) => ctx.hooks.tell('afterRemove', () => [event], ctx))
}

/**
 * Refuses, once the copies are known, whoever may delete only drafts that were never published, or nothing of the type
 * that one of the copies has (§5.2, §5.3).
 */
export function assertMayRemove(viewer: Viewer, { document, copies }: Target): void {
  assertMayOverwrite(viewer, copies, document.wasPublished ? 'deletePublished' : 'deleteDraft')
}
