import { DocumentId } from '../../model/terms/document.ts'
import type { Context } from '../context.ts'
import { pieceWithDraft, readAlsoPublish } from '../operations/publish-along.ts'
import { assertMay } from '../permissions.ts'
import { seenDocuments } from './look-up-names.ts'

/** A document that would be published along; its title is empty where the caller may not see it. */
interface PublishedAlong {
  readonly _id: string
  readonly type: string
  readonly title: string
}

/**
 * The drafts that `alsoPublish` would publish, in the order of their ids, for a caller who may edit them; whether they
 * are complete is not looked at. Throws `notfound`, `forbidden`, and `invalid` for pages. One statement.
 */
export async function wouldPublishAlong(
  ctx: Context,
  body: { readonly [name: string]: unknown },
  id: Pick<DocumentId, 'docId' | 'locale'>,
): Promise<PublishedAlong[]> {
  const docIds = readAlsoPublish(ctx, body, id)
  if (docIds.length === 0) return []
  const { locale } = id
  const drafts = await seenDocuments(ctx, { locale, mode: 'draft' }, docIds)
  return docIds.map((docId) => {
    const seen = drafts.get(docId)
    const type = pieceWithDraft(seen?.access.type)
    assertMay(ctx.actor, 'editDraft', type)
    const title = seen?.access.field('title') ? seen.outline.title : ''
    return { _id: DocumentId.format({ docId, locale, mode: 'draft' }), type: type.name, title }
  })
}
