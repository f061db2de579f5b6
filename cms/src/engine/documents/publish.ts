import { invalid, notFound } from '../../base/errors.ts'
import type { Copies, DocId, Document, Locale } from '../../model/document.ts'
import type { Type } from '../../model/types.ts'
import type { WriteContext } from '../context.ts'
import { assertMay } from '../permissions.ts'
import type { Change } from './change.ts'
import { save } from './save.ts'

/** One document in one locale. */
export interface Subject {
  readonly type: Type
  readonly docId: DocId
  readonly locale: Locale
}

/** Copies the draft over the published copy (§4.1 publish), and answers that. Nothing to publish is no mistake. */
export async function publish(ctx: WriteContext, subject: Subject): Promise<Document> {
  assertMay(ctx.actor, 'publish', subject.type)
  assertHasModes(subject.type)
  const before = await held(ctx, subject)
  const { draft } = before
  const after = draft ? await save(ctx, changeOf(ctx, subject, before, 'publish', draft)) : before
  if (after.published === null) throw notFound()
  return after.published
}

/** Takes the published copy away; the draft stays (decisions 3). Answers the draft. */
export async function unpublish(ctx: WriteContext, subject: Subject): Promise<Document> {
  assertMay(ctx.actor, 'publish', subject.type)
  assertHasModes(subject.type)
  const before = await held(ctx, subject)
  const { draft, published } = before
  if (subject.type.singleton) throw invalid(`There is exactly one ${subject.type.label}, always published.`)
  if (published === null || draft === null) throw invalid('This document is not published.')
  await ctx.tx.documents.remove([published.id])
  const after = await save(ctx, { ...changeOf(ctx, subject, before, 'unpublish', draft), version: null })
  if (after.draft === null) throw notFound()
  return after.draft
}

/** Gives up what waits in the draft: it becomes what is published. Answers the draft. */
export async function revertDraft(ctx: WriteContext, subject: Subject): Promise<Document> {
  assertMay(ctx.actor, 'editDraft', subject.type)
  assertHasModes(subject.type)
  const before = await held(ctx, subject)
  const { published } = before
  if (published === null) throw invalid('There is no published copy to go back to.')
  const after = await save(ctx, changeOf(ctx, subject, before, 'revert', published))
  if (after.draft === null) throw notFound()
  return after.draft
}

async function held(ctx: WriteContext, { type, docId, locale }: Subject): Promise<Copies> {
  const copies = await ctx.tx.documents.copies(docId, locale)
  // The draft of a page may have become one of another type.
  if (copies.draft?.type !== type.name && copies.published?.type !== type.name) throw notFound()
  return copies
}

function changeOf(
  ctx: WriteContext,
  { type, docId, locale }: Subject,
  before: Copies,
  operation: 'publish' | 'revert' | 'unpublish',
  source: Document,
): Change {
  const mode = operation === 'publish' ? 'published' : 'draft'
  return {
    operation,
    type,
    docId,
    locale,
    before,
    fields: { [mode]: source.fields },
    madeSlug: false,
    version: mode,
    ai: (ctx.actor.kind === 'key' || ctx.actor.kind === 'user') && ctx.actor.ai,
    restoredFrom: null,
    autosave: false,
    copyOfId: null,
  }
}

function assertHasModes(type: Type): void {
  if (!type.localized) throw invalid(`${type.label} has no draft: every save is live at once.`)
}
