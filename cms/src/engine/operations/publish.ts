import { invalid, notFound } from '../../base/errors.ts'
import type { Copies, Document } from '../../model/terms/document.ts'
import type { WriteContext } from '../context.ts'
import { changeOf } from '../save/change.ts'
import { type DocumentRef, lockFor } from '../save/document-ref.ts'
import { save } from '../save/save.ts'
import { mergedFor } from '../values/field-access.ts'

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
  if (ref.type.singleton) throw invalid(`${ref.type.label} is a singleton: it cannot be unpublished.`)
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

type Planned = Omit<Parameters<typeof changeOf>[1], 'type' | 'docId' | 'locale'>

function saveAs(ctx: WriteContext, { type, docId, locale }: DocumentRef, change: Planned): Promise<Copies> {
  return save(ctx, changeOf(ctx, { type, docId, locale, ...change }))
}

function existing(document: Document | null): Document {
  if (document === null) throw notFound()
  return document
}
