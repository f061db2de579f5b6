import { invalid, notFound } from '../../base/errors.ts'
import { type Document, type OpenCopies, type OpenDocument, openValues } from '../../model/terms/document.ts'
import type { WriteContext } from '../context.ts'
import type { Change } from '../save/change.ts'
import { type DocumentRef, lockFor } from '../save/copies.ts'
import { assertPublishable } from '../save/draft-problems.ts'
import { restorableContent, restoredSlug } from '../save/restored-version.ts'
import { save } from '../save/save.ts'
import { withWholeSlug } from '../save/slugs.ts'
import { clean } from '../values/clean.ts'
import { mergedFor } from '../values/field-access.ts'
import { contentsOf, unseenDocuments } from '../values/unseen-documents.ts'
import { assertNotByAi } from './words-by-ai.ts'

/**
 * Copies the draft over the published copy (§4.1 publish), and returns that. Having nothing to publish is no error.
 * Throws `notfound`, `forbidden`, `invalid` with all that the draft lacks, and `conflict` for a taken slug or a stale `ifMatch`.
 */
export async function publish(ctx: WriteContext, ref: DocumentRef): Promise<Document> {
  const before = await lockFor(ctx, ref, 'publish')
  const { draft, published } = before
  if (draft === null) return existing(published)
  await assertNotByAi(ctx, [ref], ref.locale)
  await assertPublishable(ctx, { type: ref.type, values: draft.fields, before })
  const after = await saveAs(ctx, ref, { reason: 'published', before, fields: { published: draft.fields } })
  return existing(after.published)
}

/** Removes the published copy; the draft stays (§3.3). Returns the draft. */
export async function unpublish(ctx: WriteContext, ref: DocumentRef): Promise<Document> {
  const before = await lockFor(ctx, ref, 'publish')
  const { draft, published } = before
  if (ref.type.singleton) throw invalid(`${ref.type.label} is a singleton: it cannot be unpublished.`)
  if (published === null || draft === null) throw invalid('This document is not published.')
  await ctx.tx.documents.remove([published.id])
  const change = { reason: 'unpublished', before, fields: { draft: draft.fields }, history: null } as const
  return existing((await saveAs(ctx, ref, change)).draft)
}

/** Discards unpublished changes: the draft becomes equal to the published copy. Returns the draft. */
export async function revertDraft(ctx: WriteContext, ref: DocumentRef): Promise<Document> {
  const before = await lockFor(ctx, ref, 'editDraft')
  const { published } = before
  if (published === null) throw invalid('There is no published copy to revert to.')
  const unseen = await unseenDocuments(ctx, ctx.tx.read.documents, contentsOf(ref.type, before))
  const fields = { draft: mergedFor(ctx, ref.type, { incoming: published, current: before.draft, unseen }) }
  return existing((await saveAs(ctx, ref, { reason: 'reverted', before, fields })).draft)
}

/**
 * Puts the published copy back to the previous publication (§4.4); the draft stays, unless every save of it is
 * published. Fields that the caller may not write keep their present values. Returns both copies.
 */
export async function undoPublish(ctx: WriteContext, ref: DocumentRef): Promise<OpenCopies> {
  const { type } = ref
  const before = await lockFor(ctx, ref, 'publish')
  const { published } = before
  if (published === null) throw invalid('This document is not published.')
  const previous = await previousPublication(ctx, ref, published)
  const slug = restoredSlug(type, openValues({ fields: previous.content }).slug, published.fields.slug)
  const restored = { ...published.fields, ...restorableContent(ctx, type, previous), slug, ...stateOf(published) }
  const inputs = [{ values: restored, before: published.fields, touched: null }]
  const [values = {}] = await clean(ctx, { type, kind: 'copied', inputs })
  const fields = withWholeSlug(type, values)
  const both = type.autopublish ? { draft: fields, published: fields } : { published: fields }
  const history = { mode: 'published', restoredFrom: previous.version.id } as const
  return saveAs(ctx, ref, { reason: 'reverted', before, fields: both, takenSlug: 'number', history })
}

/** The previous publication. Throws `invalid` when there is none, or when the last one was undone already. */
async function previousPublication(ctx: WriteContext, { docId, locale }: DocumentRef, published: OpenDocument) {
  const { versions } = ctx.tx.read
  const last = await versions.publication({ docId, locale })
  if (last?.isUndo) {
    throw invalid('The last publication was undone already. To go further back, restore a version and publish it.')
  }
  const previous = last && (await versions.publicationBefore(last))
  if (previous === null) throw invalid('There is no other publication before this one.')
  if (previous.version.type !== published.type) {
    throw invalid('The publication before was of another type. Restore that version and publish it.')
  }
  return previous
}

function stateOf({ fields: { visibility = 'public', archived = false } }: OpenDocument) {
  return { visibility, archived }
}

type Planned = Omit<Change, 'type' | 'docId' | 'locale'>

function saveAs(ctx: WriteContext, { type, docId, locale }: DocumentRef, change: Planned): Promise<OpenCopies> {
  return save(ctx, { type, docId, locale, ...change })
}

function existing(document: Document | null): Document {
  if (document === null) throw notFound()
  return document
}
