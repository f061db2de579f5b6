import type { Context } from '../../engine/context.ts'
import { copyToWrite, locate, locateForWrite } from '../../engine/locate.ts'
import { type Action, assertMay, editAction } from '../../engine/permissions.ts'
import { scopeOf } from '../../engine/related.ts'
import type { Type } from '../../model/declared/types.ts'
import type { DocumentId } from '../../model/terms/document.ts'

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
export function copyToChange(ctx: Context, type: Type, action: Action, idText: string): DocumentId {
  const id = locate(ctx, type, idText)
  assertMay(ctx.actor, action, type)
  return id
}
