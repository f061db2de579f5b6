import type { Problem } from '../../base/errors.ts'
import { type NamedImage, type Names, UNNAMED } from '../../model/changes/format-change-row.ts'
import type { References } from '../../model/changes/references-of.ts'
import type { DocId } from '../../model/terms/document-id.ts'
import type { Attachment, CopyOutline } from '../../store/contract/store.ts'
import type { Context } from '../context.ts'
import { attachmentUrl } from '../media/attachments.ts'
import { pageUrl, pieceUrl } from '../presentation/document-url.ts'
import { indexPageOf } from '../presentation/piece-urls.ts'
import { type CopyScope, relatedAccess, type TypeView } from '../view.ts'

/** A document that the caller may see. */
interface SeenDocument {
  readonly outline: CopyOutline
  readonly access: TypeView
}

/** A draft, by its title. */
export interface NamedDraft {
  readonly _id: string
  readonly type: string
  /** Empty where the caller may not see it. */
  readonly title: string
}

/** A draft that would be published along, and the problems that prevent it. */
export interface CheckedDraft extends NamedDraft {
  readonly problems: readonly Problem[]
}

/**
 * Looks up what changes of a document refer to, as far as the caller may see it now (§2.5). Two statements, whatever
 * their number, and one for index pages when they are not cached.
 */
export async function namesFor(ctx: Context, from: CopyScope, references: References): Promise<Names> {
  const imageType = `${ctx.site.namespace}/image`
  const documents = await seenDocuments(ctx, from, [...references.documents])
  const images = [...documents.values()].filter(
    ({ access }) => access.type.name === imageType && access.field('attachment'),
  )
  const files = await ctx.store.attachments.named({
    ids: [...references.attachments],
    docIds: images.map(({ outline }) => outline.id.docId),
    indexName: 'attachment',
    ...scopeIn(ctx, from),
  })
  const urls = await urlsOf(ctx, documents.values())
  const titleOf = (docId: DocId) => {
    const seen = documents.get(docId)
    return seen?.access.field('title') ? seen.outline.title : UNNAMED
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

/** The documents among these that a document in this locale and mode may show to the caller. One statement. */
export async function seenDocuments(
  ctx: Context,
  from: CopyScope,
  ids: readonly DocId[],
): Promise<ReadonlyMap<DocId, SeenDocument>> {
  const seen = new Map<DocId, SeenDocument>()
  for (const outline of await ctx.store.documents.outlines(ids, scopeIn(ctx, from))) {
    const { type, visibility, id } = outline
    const related = relatedAccess(ctx, type, from)
    if (related?.view.mode !== id.mode || !related.shown.includes(visibility)) continue
    seen.set(id.docId, { outline, access: related.shown })
  }
  return seen
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
