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
  const before = await lockFor(ctx, ref, 'publish')
  const { draft } = before
  const after =
    draft === null
      ? before
      : await saveAs(ctx, ref, { reason: 'published', before, fields: { published: draft.fields } })
  return existing(after.published)
}

/** Removes the published copy; the draft stays (§3.3). Returns the draft. */
export async function unpublish(ctx: WriteContext, ref: DocumentRef): Promise<Document> {
  const before = await lockFor(ctx, ref, 'publish')
  const { draft, published } = before
  if (ref.type.singleton) throw invalid(`There is exactly one ${ref.type.label}, always published.`)
  if (published === null || draft === null) throw invalid('This document is not published.')
  await ctx.tx.documents.remove([published.id])
  const change = { reason: 'unpublished', before, fields: { draft: draft.fields }, version: null } as const
  return existing((await saveAs(ctx, ref, change)).draft)
}

/** Discards unpublished changes: the draft becomes equal to the published copy. Returns the draft. */
export async function revertDraft(ctx: WriteContext, ref: DocumentRef): Promise<Document> {
  const before = await lockFor(ctx, ref, 'editDraft')
  const { published } = before
  if (published === null) throw invalid('There is no published copy to revert to.')
  const fields = { draft: mergedFor(ctx, ref.type, published, before.draft) }
  return existing((await saveAs(ctx, ref, { reason: 'reverted', before, fields })).draft)
}

/** Both copies, locked, if the caller may do that to them. Throws `notfound` when there is neither. */
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

type Planned = Omit<Parameters<typeof changeOf>[1], 'type' | 'docId' | 'locale'>

function saveAs(ctx: WriteContext, { type, docId, locale }: DocumentRef, change: Planned): Promise<Copies> {
  return save(ctx, changeOf(ctx, { type, docId, locale, ...change }))
}

function existing(document: Document | null): Document {
  if (document === null) throw notFound()
  return document
}
