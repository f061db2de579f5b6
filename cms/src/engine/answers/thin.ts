import type { JsonObject } from '../../base/json.ts'
import { type DocId, DocumentId, type PublishingState } from '../../model/terms/document-id.ts'
import type { Context } from '../context.ts'
import { attachmentUrl } from '../media/attachments.ts'
import { onlyNames, type Projection } from '../presentation/projection.ts'
import { viewsOf } from '../view.ts'

/** The properties of a document in a long list (§4.1), apart from ids, type and rights. */
const NAMES = ['title', 'slug', '_url', 'archived', 'modified', 'updatedAt', 'updatedBy', 'lastPublishedAt'] as const
const PAGE_NAMES = [...NAMES, 'path', 'level', 'rank', 'orphan', 'parkedId', 'parked'] as const

/** The projection of documents in such a list. */
export const thinDocument: Projection = onlyNames(NAMES)
/** The projection of pages in such a list, with their place in the tree. */
export const thinPage: Projection = onlyNames(PAGE_NAMES)

/** A document of such a list. */
interface ThinDocument {
  readonly id: DocumentId
  readonly type: string
  readonly state: PublishingState
  /** The ids from the home page down to a page, with `/` between; null for pieces. */
  readonly path: string | null
}

/**
 * The properties that such lists add to each document, in their order: `state`, `_path` of pages (their ancestors, as
 * far as the caller sees these), `_thumbnail` of images. For callers who read drafts. At most one statement for each
 * locale, and one for images.
 */
export async function thinProperties(ctx: Context, documents: readonly ThinDocument[]): Promise<JsonObject[]> {
  const paths = await pathsOf(ctx, documents)
  const thumbnails = await thumbnailsOf(ctx, documents)
  return documents.map((one) => ({
    state: one.state,
    ...(one.path === null ? {} : { _path: paths.get(one) ?? [] }),
    ...thumbnails.get(one.id.docId),
  }))
}

/** The ancestors of each page, from the home page on: `{ _id, title }`. */
async function pathsOf(ctx: Context, documents: readonly ThinDocument[]) {
  const views = viewsOf(ctx)
  const paths = new Map<ThinDocument, JsonObject[]>()
  const pages = documents.filter(({ path }) => path !== null)
  for (const [locale, ofLocale] of Map.groupBy(pages, ({ id }) => id.locale)) {
    const above = new Set(ofLocale.flatMap(ancestorsOf))
    const nodes = above.size === 0 ? new Map() : await ctx.store.tree.nodes(locale, [...above])
    for (const page of ofLocale) {
      const { mode } = page.id
      const path = ancestorsOf(page).flatMap((docId) => {
        const copy = nodes.get(docId)?.[mode] ?? nodes.get(docId)?.draft
        const view = copy && views.of(copy.type)
        const isTitled = view?.field('title')
        return view ? [{ _id: DocumentId.format({ docId, locale, mode }), ...(isTitled && { title: copy.title }) }] : []
      })
      paths.set(page, path)
    }
  }
  return paths
}

function ancestorsOf({ path }: ThinDocument): DocId[] {
  return path?.split('/').slice(0, -1) ?? []
}

/** The URLs of images in their smallest size, by aposDocId, as far as the caller sees their files. */
async function thumbnailsOf(ctx: Context, documents: readonly ThinDocument[]) {
  const type = `${ctx.site.namespace}/image`
  const isSeen = viewsOf(ctx).of(type)?.field('attachment')
  const docIds = isSeen ? documents.filter((one) => one.type === type).map(({ id }) => id.docId) : []
  const files = await ctx.store.attachments.ofDocuments(docIds, 'attachment')
  return new Map(
    [...files].flatMap(([docId, [file]]) => {
      return file === undefined ? [] : [[docId, { _thumbnail: attachmentUrl(ctx, file, 'one-sixth') }] as const]
    }),
  )
}
