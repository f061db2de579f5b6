import { invalid, notFound } from '../../base/errors.ts'
import type { Type } from '../../model/declared/types.ts'
import type { Copies, DocId, Locale, Mode } from '../../model/terms/document.ts'
import type { WriteContext } from '../context.ts'
import { type Action, assertMay } from '../permissions.ts'
import { assertMatch, assertMayOverwrite } from './copies.ts'

/** One document in one locale. */
export interface DocumentRef {
  readonly type: Type
  readonly docId: DocId
  readonly locale: Locale
  /** The copy that `ifMatch` refers to; the draft when left out. */
  readonly mode?: Mode
  readonly ifMatch?: string | null
}

/** Locks and returns both copies, if the caller may do this to them. Throws `notfound` when there is neither. */
export async function lockFor(ctx: WriteContext, ref: DocumentRef, action: Action): Promise<Copies> {
  const { type, docId, locale, mode = 'draft', ifMatch = null } = ref
  assertMay(ctx.actor, action, type)
  if (!type.localized) throw invalid(`${type.label} has no draft: every save is live at once.`)
  const copies = await ctx.tx.documents.lockCopies(docId, locale)
  const named = copies[mode] ?? copies.draft ?? copies.published
  // The draft of a page may have become one of another type.
  if (named === null || (copies.draft?.type !== type.name && copies.published?.type !== type.name)) throw notFound()
  assertMayOverwrite(ctx, copies, action)
  assertMatch(ifMatch, named)
  return copies
}
