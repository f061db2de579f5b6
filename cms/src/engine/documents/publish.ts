import { invalid, notFound } from '../../base/errors.ts'
import type { Copies, DocId, Document, Locale, Mode } from '../../model/document.ts'
import type { Type } from '../../model/types.ts'
import type { WriteContext } from '../context.ts'
import { type Action, assertMay } from '../permissions.ts'
import { changeOf } from './change.ts'
import { assertMatch, assertMayOverwrite } from './copies.ts'
import { mergedFor } from './field-access.ts'
import { save } from './save.ts'

/** One document in one locale. */
export interface DocumentRef {
  readonly type: Type
  readonly docId: DocId
  readonly locale: Locale
  /** The copy that `ifMatch` refers to; the draft when left out. */
  readonly mode?: Mode
  readonly ifMatch?: string | null
}

/**
 * Copies the draft over the published copy (§4.1 publish), and returns that. Having nothing to publish is not an error.
 */
export async function publish(ctx: WriteContext, ref: DocumentRef): Promise<Document> {
  assertMay(ctx.actor, 'publish', ref.type)
  assertHasModes(ref.type)
  const before = await copiesFor(ctx, ref, 'publish')
  const { draft } = before
  const change =
    draft && changeOf(ctx, { ...identityOf(ref), reason: 'published', before, fields: { published: draft.fields } })
  const after = change ? await save(ctx, change) : before
  if (after.published === null) throw notFound()
  return after.published
}

/** Removes the published copy; the draft stays (§3.3). Returns the draft. */
export async function unpublish(ctx: WriteContext, ref: DocumentRef): Promise<Document> {
  assertMay(ctx.actor, 'publish', ref.type)
  assertHasModes(ref.type)
  const before = await copiesFor(ctx, ref, 'publish')
  const { draft, published } = before
  if (ref.type.singleton) throw invalid(`There is exactly one ${ref.type.label}, always published.`)
  if (published === null || draft === null) throw invalid('This document is not published.')
  await ctx.tx.documents.remove([published.id])
  const fields = { draft: draft.fields }
  const after = await save(
    ctx,
    changeOf(ctx, { ...identityOf(ref), reason: 'unpublished', before, fields, version: null }),
  )
  if (after.draft === null) throw notFound()
  return after.draft
}

/** Discards unpublished changes: the draft becomes equal to the published copy. Returns the draft. */
export async function revertDraft(ctx: WriteContext, ref: DocumentRef): Promise<Document> {
  assertMay(ctx.actor, 'editDraft', ref.type)
  assertHasModes(ref.type)
  const before = await copiesFor(ctx, ref, 'editDraft')
  const { published } = before
  if (published === null) throw invalid('There is no published copy to revert to.')
  const fields = { draft: mergedFor(ctx, ref.type, published, before.draft) }
  const after = await save(ctx, changeOf(ctx, { ...identityOf(ref), reason: 'reverted', before, fields }))
  if (after.draft === null) throw notFound()
  return after.draft
}

async function copiesFor(ctx: WriteContext, ref: DocumentRef, action: Action): Promise<Copies> {
  const { type, docId, locale, mode = 'draft', ifMatch = null } = ref
  const copies = await ctx.tx.documents.lockCopies(docId, locale)
  const named = copies[mode] ?? copies.draft ?? copies.published
  // The draft of a page may have become one of another type.
  if (named === null || (copies.draft?.type !== type.name && copies.published?.type !== type.name)) throw notFound()
  assertMayOverwrite(ctx, copies, action)
  assertMatch(ifMatch, named)
  return copies
}

function identityOf({ type, docId, locale }: DocumentRef) {
  return { type, docId, locale }
}

function assertHasModes(type: Type): void {
  if (!type.localized) throw invalid(`${type.label} has no draft: every save is live at once.`)
}
