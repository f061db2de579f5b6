import type { Context } from '../../engine/context.ts'
import { type Actor, mayReadDraft, visitor } from '../../engine/permissions.ts'
import { indexPageOf } from '../../engine/presentation/piece-urls.ts'
import { viewOf } from '../../engine/view.ts'
import type { Type } from '../../model/declared/types.ts'
import { type Document, stateOf } from '../../model/terms/document.ts'
import type { DocId, Locale } from '../../model/terms/document-id.ts'
import type { Role } from '../../model/terms/roles.ts'
import type { Page } from '../../store/contract/store.ts'
import type { PageContent } from './found.ts'

/** The caller who opened a preview. */
export type PreviewActor = Extract<Actor, { readonly kind: 'preview' }>

/** The content of a preview, and the visitor to whom its document is presented. */
interface Previewed {
  readonly found: PageContent
  readonly viewer: Context
}

const NOTHING: PageContent = { kind: 'notFound' }

/**
 * The draft that a preview shows (§4.2b), as if it were published, wherever the path leads. `ctx` is the visitor's, who
 * gets everything else: a piece is shown on its index page as that is published.
 */
export async function findPreviewed(ctx: Context, { docId, locale, makerRole }: PreviewActor): Promise<Previewed> {
  const viewer: Context = { ...ctx, actor: visitor({ kind: 'viewer', locale }) }
  const draft = await findDraft(ctx, docId, { locale, role: makerRole })
  const isSeen = draft !== null && viewOf(viewer.actor, draft.type) !== null
  return { viewer, found: isSeen ? await foundOf(ctx, viewer, draft) : NOTHING }
}

/** The locale of a preview's visit is its document's. */
export function previewContext(ctx: Context, { locale }: PreviewActor): Context {
  return { ...ctx, actor: visitor(ctx.actor), locale, mode: 'published', explicit: { locale: null, mode: null } }
}

/** A draft, and its type. */
export interface Draft {
  readonly document: Document
  readonly type: Type
}

/** The draft of a document, if the role may read it; archived ones are not found. */
export async function findDraft(
  { site, store }: Context,
  docId: DocId,
  { locale, role }: { readonly locale: Locale; readonly role: Role | null },
): Promise<Draft | null> {
  const document = await store.documents.get({ docId, locale, mode: 'draft' })
  const type = document && site.types.get(document.type)
  if (!type || stateOf(document).isArchived) return null
  return mayReadDraft(role, type) ? { document, type } : null
}

async function foundOf(ctx: Context, viewer: Context, { document, type }: Draft): Promise<PageContent> {
  if (type.family === 'page') {
    const page = await pageOf(ctx, document.id.docId, 'draft')
    if (page === null) return NOTHING
    return type.index === null
      ? { kind: 'page', page }
      : { kind: 'index', page, list: { filters: {}, number: 1, inPath: [] } }
  }
  const index = await indexPageOf(viewer, type, viewer)
  const page = index && (await pageOf(ctx, index.docId, 'published'))
  return page ? { kind: 'show', page, piece: asPublished(document) } : NOTHING
}

async function pageOf({ locale, store }: Context, docId: DocId, mode: 'draft' | 'published'): Promise<Page | null> {
  const [page] = await store.tree.pages({ locale, mode, archived: false, visibility: null, docIds: [docId] })
  return page ? { ...page, document: asPublished(page.document) } : null
}

/** The draft's content, with the id that its published copy has, or would have. */
function asPublished(document: Document): Document {
  return { ...document, id: { ...document.id, mode: 'published' } }
}
