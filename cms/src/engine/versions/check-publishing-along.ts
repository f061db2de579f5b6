import type { UnknownObject } from '../../base/json.ts'
import type { Type } from '../../model/declared/types.ts'
import { type Document, openValues } from '../../model/terms/document.ts'
import { type DocId, DocumentId, type Mode } from '../../model/terms/document-id.ts'
import type { Context } from '../context.ts'
import { pieceWithDraft, readAlsoPublish } from '../operations/publish-along.ts'
import { assertMay } from '../permissions.ts'
import { publishedValues, publishingProblems } from '../save/draft-problems.ts'
import { unseenDocuments } from '../values/unseen-documents.ts'
import { type CheckedDraft, seenDocuments } from './look-up-names.ts'

/**
 * The drafts that `alsoPublish` would publish, in the order of their ids, with the problems of each, for a caller who
 * may edit them. Throws `notfound`, `forbidden`, and `invalid` for pages. Two statements, and two for each type.
 */
export async function wouldPublishAlong(
  ctx: Context,
  body: UnknownObject,
  id: Pick<DocumentId, 'docId' | 'locale'>,
): Promise<CheckedDraft[]> {
  const docIds = readAlsoPublish(ctx, body, id)
  if (docIds.length === 0) return []
  const { locale } = id
  const drafts = await seenDocuments(ctx, { locale, mode: 'draft' }, docIds)
  const named = docIds.map((docId) => {
    const seen = drafts.get(docId)
    const type = pieceWithDraft(seen?.access.type)
    assertMay(ctx.actor, 'editDraft', type)
    return { docId, type, title: seen?.access.field('title') ? seen.outline.title : '' }
  })
  const problems = await problemsOfMany(ctx, named, locale)
  return named.map(({ docId, type, title }) => {
    const _id = DocumentId.format({ docId, locale, mode: 'draft' })
    return { _id, type: type.name, title, problems: problems.get(docId) ?? [] }
  })
}

interface OfType {
  readonly docId: DocId
  readonly type: Type
}

async function problemsOfMany(ctx: Context, named: readonly OfType[], locale: string) {
  const drafts = await copiesOf(ctx, named, { locale, mode: 'draft' })
  const published = await copiesOf(ctx, named, { locale, mode: 'published' })
  const contents = named.flatMap(({ docId, type }) => {
    const draft = drafts.get(docId)
    return draft ? [{ docId, type, fields: type.fields, values: openValues(draft) }] : []
  })
  const unseen = await unseenDocuments(ctx, ctx.store.documents, contents)
  const problems = contents.map(({ docId, type, values }) => {
    const before = publishedValues(type, published.get(docId) ?? null)
    return [docId, publishingProblems(ctx, unseen, { type, values, published: before })] as const
  })
  return new Map(problems)
}

/** The copies of documents in a mode, archived ones too; a statement for each type. */
async function copiesOf(ctx: Context, named: readonly OfType[], scope: { locale: string; mode: Mode }) {
  const copies = new Map<DocId, Document>()
  for (const [type, some] of Map.groupBy(named, (one) => one.type)) {
    const view = { ...scope, type: type.name, archived: 'any', visibility: null } as const
    const ids = some.map(({ docId }) => docId)
    for (const copy of await ctx.store.documents.many(view, ids)) copies.set(copy.id.docId, copy)
  }
  return copies
}
