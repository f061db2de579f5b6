import type { Context } from '../../engine/context.ts'
import { copyToWrite, locate, locateForWrite } from '../../engine/locate.ts'
import { type Action, assertMay, editAction } from '../../engine/permissions.ts'
import { scopeOf } from '../../engine/view.ts'
import type { Type } from '../../model/declared/types.ts'
import type { DocumentId } from '../../model/terms/document-id.ts'

/** The changes of a piece's state (§4.1 publish, §3.3, §3.5), by the last step of their path, and what they take. */
export const STATE_ACTIONS = {
  publish: 'publish',
  unpublish: 'publish',
  'revert-draft-to-published': 'editDraft',
  'revert-published-to-previous': 'publish',
  archive: 'archive',
  restore: 'archive',
  localize: 'editDraft',
} as const satisfies Record<string, Action>

/** The last step of a path that changes a state. */
export type StateVerb = keyof typeof STATE_ACTIONS

/** Locale and mode of the caller's new piece, if they may create any. Knows nothing of the body. */
export function copyToInsert(ctx: Context, type: Type): Pick<DocumentId, 'locale' | 'mode'> {
  const { locale, mode } = copyToWrite(ctx, type, { ...scopeOf(type, ctx.locale, ctx.mode), docId: '' })
  assertMay(ctx.actor, mode === 'draft' ? 'createDraft' : 'createPublished', type)
  return { locale, mode }
}

/** The copy that an id means, if the caller may edit such copies. Nothing is looked up. */
export function copyToEdit(ctx: Context, type: Type, idText: string): DocumentId {
  const id = locateForWrite(ctx, type, idText)
  assertMay(ctx.actor, editAction(id.mode), type)
  return id
}

/** The copy that an id means, if the caller may delete such copies. Nothing is looked up. */
export function copyToDelete(ctx: Context, type: Type, idText: string): DocumentId {
  const id = locateForWrite(ctx, type, idText)
  assertMay(ctx.actor, id.mode === 'draft' ? 'deleteDraft' : 'deletePublished', type)
  return id
}

/** The copy that an id means, if the caller may do that to documents of the type. Nothing is looked up. */
export function copyToChange(
  ctx: Context,
  { type, action }: { readonly type: Type; readonly action: Action },
  idText: string,
): DocumentId {
  const id = locate(ctx, type, idText)
  assertMay(ctx.actor, action, type)
  return id
}
