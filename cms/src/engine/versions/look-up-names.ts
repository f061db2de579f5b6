import type { References } from '../../model/changes/references-of.ts'
import { type NamedImage, type Names, UNNAMED } from '../../model/changes/row-names.ts'
import type { DocId } from '../../model/terms/document.ts'
import type { Attachment, CopyOutline } from '../../store/contract/store.ts'
import type { Context } from '../context.ts'
import { attachmentUrl } from '../media/attachments.ts'
import { pageUrl, pieceUrl } from '../presentation/document-url.ts'
import { indexPageOf } from '../presentation/piece-urls.ts'
import { type CopyScope, type RelatedAccess, relatedAccess, seesRelatedField } from '../related.ts'

/** A document that the caller may see. */
interface SeenDocument {
  readonly outline: CopyOutline
  readonly access: RelatedAccess
}

/**
 * What changes of a document in a locale name, as far as the caller may see it now (§2.5): two statements, whatever
 * their number, and one for index pages when they are not cached.
 */
export async function namesFor(ctx: Context, from: CopyScope, references: References): Promise<Names> {
  const imageType = `${ctx.site.namespace}/image`
  const documents = await seenDocuments(ctx, from, [...references.documents])
  const images = [...documents.values()].filter((one) => one.access.type.name === imageType && seesFile(ctx, one))
  const files = await ctx.store.attachments.named({
    ids: [...references.attachments],
    docIds: images.map(({ outline }) => outline.id.docId),
    indexName: 'attachment',
    ...scopeIn(ctx, from),
  })
  const urls = await urlsOf(ctx, documents.values())
  const titleOf = (docId: DocId) => {
    const seen = documents.get(docId)
    return seen && seesRelatedField(ctx, seen.access, 'title') ? seen.outline.title : UNNAMED
  }
  return {
    imageType,
    documentTitle: titleOf,
    documentUrl: (docId) => urls.get(docId) ?? null,
    fileName: (id) => fileNameOf(files.byId.get(id)),
    image(docId): NamedImage | null {
      const file = files.byDocument.get(docId)
      return file ? { text: titleOf(docId), href: attachmentUrl(ctx, file, 'one-third') } : null
    },
  }
}

function scopeIn(ctx: CopyScope, from: CopyScope): CopyScope {
  const { locale, mode } = from.locale === '' ? ctx : from
  return { locale, mode }
}

async function seenDocuments(
  ctx: Context,
  from: CopyScope,
  ids: readonly DocId[],
): Promise<ReadonlyMap<DocId, SeenDocument>> {
  const seen = new Map<DocId, SeenDocument>()
  const accessTo = new Map<string, RelatedAccess | null>()
  for (const outline of await ctx.store.documents.outlines(ids, scopeIn(ctx, from))) {
    const { type, visibility, id } = outline
    const access = accessTo.get(type) ?? relatedAccess(ctx, type, from)
    accessTo.set(type, access)
    if (access === null || access.view.mode !== id.mode) continue
    if (access.view.visibility === null || access.view.visibility === visibility)
      seen.set(id.docId, { outline, access })
  }
  return seen
}

function seesFile(ctx: Context, { access }: SeenDocument): boolean {
  return seesRelatedField(ctx, access, 'attachment')
}

async function urlsOf(ctx: Context, documents: Iterable<SeenDocument>): Promise<ReadonlyMap<DocId, string>> {
  const urls = new Map<DocId, string>()
  // All documents of a type are of the same locale and mode.
  for (const [type, some] of Map.groupBy(documents, ({ access }) => access.type)) {
    const [first] = some
    const index = first && type.family === 'piece' ? await indexPageOf(ctx, type, first.outline.id) : null
    for (const { outline } of some) {
      const { id, slug } = outline
      const locale = id.locale === '' ? ctx.locale : id.locale
      if (type.family === 'page') urls.set(id.docId, pageUrl(ctx, locale, slug))
      else if (index !== null) urls.set(id.docId, pieceUrl(ctx, locale, index.slug, slug))
    }
  }
  return urls
}

function fileNameOf(file: Attachment | undefined): string | null {
  return file ? `${file.name}.${file.extension}` : null
}
