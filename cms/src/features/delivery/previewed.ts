import type { Context } from '../../engine/context.ts'
import { pageAccess, pagesVisibility, visibilityOf } from '../../engine/pages/page-access.ts'
import { type Actor, may, visitor } from '../../engine/permissions.ts'
import { indexPageOf } from '../../engine/presentation/piece-urls.ts'
import type { Type } from '../../model/declared/types.ts'
import type { DocId, Document, Locale } from '../../model/terms/document.ts'
import type { Page } from '../../store/contract/store.ts'
import type { PageContent } from './found.ts'

/** The caller who opened a preview. */
export type PreviewActor = Extract<Actor, { readonly kind: 'preview' }>

/** The content of a preview, and the caller that its document is read for. */
interface Previewed {
  readonly found: PageContent
  /** Reads drafts with the role of the preview's maker. */
  readonly reader: Context
}

const NOTHING: PageContent = { kind: 'notFound' }

/**
 * The draft that a preview shows (§4.2b), wherever the path leads. `ctx` is the visitor's, who gets everything else: a
 * piece is shown on its index page as that is published.
 */
export async function findPreviewed(ctx: Context, { docId, viewer }: PreviewActor): Promise<Previewed> {
  const reader: Context = { ...ctx, actor: visitor(viewer), mode: 'draft' }
  const draft = await draftOf(reader, docId)
  return { reader, found: draft === null ? NOTHING : await foundOf(ctx, reader, draft) }
}

/** The locale of a preview's visit is its document's. */
export function previewContext(ctx: Context, { locale }: PreviewActor): Context {
  return { ...ctx, actor: visitor(ctx.actor), locale, mode: 'published', explicit: { locale: null, mode: null } }
}

/** The draft of a document and its type, where the caller may read it; archived ones are not found. */
export async function draftOf(
  ctx: Context,
  docId: DocId,
  locale: Locale = ctx.locale,
): Promise<{ readonly document: Document; readonly type: Type } | null> {
  const document = await ctx.store.documents.get({ docId, locale, mode: 'draft' })
  const type = document && ctx.site.types.get(document.type)
  if (!type || document.fields.archived === true) return null
  return may(ctx.actor, 'readDraft', type) ? { document, type } : null
}

async function foundOf(
  ctx: Context,
  reader: Context,
  { document, type }: { readonly document: Document; readonly type: Type },
): Promise<PageContent> {
  if (type.family === 'page') {
    const page = await pageOf(reader, document.id.docId)
    if (page === null) return NOTHING
    return type.index === null
      ? { kind: 'page', page }
      : { kind: 'index', page, list: { filters: {}, number: 1, inPath: null } }
  }
  const index = await indexPageOf(ctx, type, ctx)
  const page = index && (await pageOf(ctx, index.docId))
  return page ? { kind: 'show', page, piece: document } : NOTHING
}

async function pageOf(ctx: Context, docId: DocId): Promise<Page | null> {
  const { locale, mode } = ctx
  const visibility = pagesVisibility(ctx, mode)
  const [page] = await ctx.store.tree.pages({ locale, mode, archived: false, visibility, docIds: [docId] })
  return page && pageAccess(ctx, visibilityOf(page.document)) ? page : null
}
