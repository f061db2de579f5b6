import { invalid } from '../../base/errors.ts'
import type { Type } from '../../model/declared/types.ts'
import type { DocumentId } from '../../model/terms/document-id.ts'
import { applyAccountChange } from '../access/accounts.ts'
import type { WriteContext } from '../context.ts'
import { lockPage } from '../pages/locate-page.ts'
import { assertNotParked } from '../pages/parked.ts'
import { assertMay, type Viewer } from '../permissions.ts'
import { assertMatch, assertMayOverwrite, type Target, target } from '../save/copies.ts'
import { announceChanges, recordTreeChange, recordWrite, runWithoutTreeChanges } from '../save/save-hooks.ts'

/** A document to remove, and the revision that the caller has read. */
interface Removal {
  readonly type: Type
  readonly id: DocumentId
  readonly ifMatch: string | null
}

/**
 * Removes a document in one locale for good (§4.1 DELETE): both copies, history, references. Throws `forbidden` where
 * the caller may delete only drafts that were never published, `invalid` for a draft whose published copy exists, and
 * for singletons.
 */
export async function remove(ctx: WriteContext, removal: Removal): Promise<void> {
  const { type, id } = removal
  const { copies } = await lock(ctx, removal)
  const removed = [copies.draft, copies.published].filter((copy) => copy !== null)
  await ctx.hooks.run('beforeRemove', { type, removed }, ctx)
  await ctx.tx.documents.remove(removed.map((copy) => copy.id))
  recordWrite(ctx, id, 'removed')
  const attachments = await ctx.tx.versions.removeOf(id.docId, id.locale)
  // Also while the type has no scheduling: a document that is imported with the same id must not get it.
  if (type.localized) await ctx.tx.schedules.remove(id.docId, id.locale)
  await applyAccountChange(ctx, type, copies.published, null)
  const event = { type, removed, attachments }
  const modes = removed.map((copy) => copy.id.mode)
  await announceChanges(ctx, [{ reason: 'removed', type: type.name, docId: id.docId, locale: id.locale, modes }])
  ctx.afterCommit((ctx) => ctx.hooks.notify('afterRemove', () => [event], ctx))
}

async function lock(ctx: WriteContext, { type, id, ifMatch }: Removal): Promise<Target> {
  assertMay(ctx.actor, deleteAction(id), type)
  if (type.singleton) throw invalid(`${type.label} is a singleton: it cannot be deleted.`)
  const locked = await target(ctx, { type, id })
  assertMayRemove(ctx, locked)
  assertMatch(ifMatch, locked.document)
  if (id.mode === 'draft' && locked.copies.published)
    throw invalid('This draft has a published copy. Delete the published document, or unpublish it first.')
  return locked
}

/** Returns the action that removing a copy requires. */
function deleteAction({ mode }: DocumentId): 'deleteDraft' | 'deletePublished' {
  return mode === 'draft' ? 'deleteDraft' : 'deletePublished'
}

/**
 * Refuses, once the copies are known, callers who may delete only drafts that were never published, or nothing of the
 * type that one of the copies has (§5.2, §5.3).
 */
function assertMayRemove(viewer: Viewer, { document, copies }: Pick<Target, 'document' | 'copies'>): void {
  assertMayOverwrite(viewer, copies, document.wasPublished ? 'deletePublished' : 'deleteDraft')
}

/** Removes a page in one locale for good (§4.2 DELETE), but not home, the archive, or a page that has children. */
export async function removePage(ctx: WriteContext, { id, ifMatch }: Omit<Removal, 'type'>): Promise<void> {
  const page = await lockPage(ctx, id, { action: deleteAction(id) })
  assertMayRemove(ctx, page)
  assertNotParked(ctx.site, id.docId, 'deleted')
  if ((page.nodes.get(id.docId)?.children ?? 0) > 0) throw invalid('This page has children. Delete or move them first.')
  await runWithoutTreeChanges(ctx, () => remove(ctx, { type: page.type, id, ifMatch }))
  await ctx.tx.tree.remove(id.locale, page.position)
  recordTreeChange(ctx)
}
