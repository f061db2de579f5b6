import { type CmsError, invalid, notFound } from '../../base/errors.ts'
import { own, type UnknownObject } from '../../base/json.ts'
import type { Type } from '../../model/declared/types.ts'
import type { OpenDocument } from '../../model/terms/document.ts'
import { type DocId, DocumentId } from '../../model/terms/document-id.ts'
import type { Context, WriteContext } from '../context.ts'
import { assertMay } from '../permissions.ts'
import { type Change, NO_COPIES } from '../save/change.ts'
import { assertMayOverwrite } from '../save/copies.ts'
import { publishedValues, publishingProblems } from '../save/draft-problems.ts'
import { saveMany } from '../save/save.ts'
import { type UnseenDocuments, unseenDocuments } from '../values/unseen-documents.ts'
import { viewsOf } from '../view.ts'
import { assertNotByAi } from './words-by-ai.ts'

/**
 * Reads `alsoPublish`: the aposDocIds of documents to publish together with another one, in its locale. Throws
 * `invalid`.
 */
export function readAlsoPublish(
  { site }: Context,
  body: UnknownObject,
  { docId, locale }: Pick<DocumentId, 'docId' | 'locale'>,
): DocId[] {
  const given = own(body, 'alsoPublish') ?? []
  const most = site.limits.ids
  if (!Array.isArray(given) || !given.every((one) => typeof one === 'string')) {
    throw invalid('alsoPublish must be a list of ids.')
  }
  if (given.length > most) throw invalid(`alsoPublish takes at most ${most} ids.`)
  const ids = given.map((text) => {
    const id = DocumentId.parse(text)
    if (id === null || (id.locale !== undefined && id.locale !== locale)) {
      throw invalid(
        `alsoPublish takes documents of the same locale, by _id or aposDocId; ${text.slice(0, 60)} is none.`,
      )
    }
    return id.docId
  })
  // In one order, so that no two requests wait for each other.
  return [...new Set(ids)].filter((id) => id !== docId).toSorted()
}

/**
 * Publishes pieces together with another document, all or none (§3.3), in a constant number of statements. Throws
 * `notfound`, `forbidden`, and `invalid` for pages and for what is not complete.
 */
export async function publishAlong(ctx: WriteContext, docIds: readonly DocId[], locale: string): Promise<void> {
  if (docIds.length === 0) return
  const locked = await ctx.tx.documents.lockMany(docIds, locale)
  const drafts = docIds.map((docId) => {
    const copies = locked.get(docId) ?? NO_COPIES
    const { type, draft } = publishable(ctx, copies.draft)
    assertMayOverwrite(ctx, copies, 'publish')
    return { docId, type, draft, before: copies }
  })
  await assertNotByAi(ctx, drafts, locale)
  const contents = drafts.map(({ type: { fields }, draft }) => ({ fields, values: draft.fields }))
  const unseen = await unseenDocuments(ctx, ctx.tx.read.documents, contents)
  const changes = drafts.map(({ docId, type, draft, before }): Change => {
    const change = { reason: 'published', type, docId, locale, before, fields: { published: draft.fields } } as const
    assertComplete(ctx, unseen, { change, draft })
    return change
  })
  await saveMany(ctx, changes)
}

/** The draft of a piece that the caller may publish. */
function publishable(
  ctx: WriteContext,
  draft: OpenDocument | null,
): { readonly type: Type; readonly draft: OpenDocument } {
  if (draft === null) throw unknownAlong()
  const type = pieceWithDraft(viewsOf(ctx).of(draft.type)?.type)
  assertMay(ctx.actor, 'publish', type)
  return { type, draft }
}

function unknownAlong(): CmsError {
  return notFound('One of the documents in alsoPublish does not exist in this locale, or you may not see it.')
}

/** The type, of which a draft can be published along. Throws `notfound` where there is none, and `invalid`. */
export function pieceWithDraft(type: Type | undefined): Type {
  if (!type) throw unknownAlong()
  if (type.family === 'page') throw invalid('alsoPublish takes pieces. Publish pages one by one, from the top.')
  if (!type.localized) throw invalid(`${type.label} has no draft: every save is live at once.`)
  return type
}

function assertComplete(
  ctx: WriteContext,
  unseen: UnseenDocuments,
  { change: { type, before }, draft }: { readonly change: Change; readonly draft: OpenDocument },
): void {
  const publishing = { type, values: draft.fields, published: publishedValues(type, before.published) }
  const errors = publishingProblems(ctx, unseen, publishing)
  if (errors.length === 0) return
  const _id = DocumentId.format(draft.id)
  const title = viewsOf(ctx).of(type.name)?.field('title') ? ` “${draft.fields.title}”` : ''
  throw invalid(`A document in alsoPublish is not complete: ${type.label}${title}, ${_id}.`, { _id, errors })
}
