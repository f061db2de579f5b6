import { joinSlug } from '../../base/text.ts'
import { waitForTurn } from '../../base/turns.ts'
import type { IndexOptions, Type } from '../../model/declared/types.ts'
import type { DocumentUrl } from '../../model/declared/url-metadata.ts'
import { DocumentId } from '../../model/terms/document-id.ts'
import type { ListedDocument } from '../../store/contract/store.ts'
import type { Context } from '../context.ts'
import { localePath } from '../presentation/document-url.ts'
import { withFilter } from '../presentation/url-operations.ts'
import { viewOf } from '../view.ts'
import { indexParts, indexUrls, type Part, piecesView } from './index-lists.ts'
import { type HasPiece, isFree, isTaken, type ListedPage, type ListedPages, listedPages } from './listed-pages.ts'
import { type Hints, hintsOf } from './sitemap-hints.ts'

/** The URL of a document, with what sitemaps and other lists need in addition to its metadata. */
export interface ListedUrl {
  readonly entry: DocumentUrl
  readonly title: string
  /** When its content was last changed; null for lists, where that is unknown. */
  readonly updatedAt: string | null
  /** It is the document itself, not a further page of its list. */
  readonly isDocument: boolean
  /** It is a further page of an index page, or one of its filters. */
  readonly isPartOfList: boolean
}

/** How many URLs are listed at a time. */
const BATCH = 1000

/**
 * The URLs of a locale that visitors may see (§4.6), no URL twice: pages in the order of the tree, each index page with
 * its further pages and its filters, then pieces by type and slug. Bounded in memory by the tree of pages; one
 * statement for each 1,000 pieces. `ctx` is a visitor's, on a snapshot.
 */
export async function* listedUrls(ctx: Context, excludeTypes: readonly string[] = []): AsyncGenerator<ListedUrl[]> {
  const tree = await listedPages(ctx)
  // Images and files have no pages (§4.6).
  const { namespace } = ctx.site
  const left = new Set([...excludeTypes, `${namespace}/image`, `${namespace}/file`])
  const isListed = ({ name }: Type) => !left.has(name)
  yield* pageUrls(ctx, { ...tree, pages: tree.pages.filter(({ pageType }) => isListed(pageType)) })
  for (const [name, page] of tree.indexes) {
    const type = ctx.site.types.get(name)
    if (type && isListed(type)) yield* pieceUrls(ctx, tree, type, page)
  }
}

async function* pageUrls(ctx: Context, tree: ListedPages): AsyncGenerator<ListedUrl[]> {
  const { pages } = tree
  const parts = await partsByType(ctx, pages)
  for (let start = 0; start < pages.length; start += BATCH) {
    await waitForTurn()
    const batch = pages.slice(start, start + BATCH)
    const hints = await pageHints(ctx, batch)
    let listed: ListedUrl[] = []
    for (const page of batch) {
      for await (const one of urlsOfPage(ctx, page, parts.get(page.pageType), { tree, hints })) {
        listed.push(one)
        if (listed.length < BATCH) continue
        yield listed
        listed = []
      }
    }
    yield listed
  }
}

/** The pages and filters of the index pages of each type, looked up once for all of them. */
async function partsByType(ctx: Context, pages: readonly ListedPage[]): Promise<Map<Type, Part[]>> {
  const parts = new Map<Type, Part[]>()
  for (const { pageType } of pages) {
    const index = parts.has(pageType) ? null : indexOf(ctx, pageType)
    if (index !== null) parts.set(pageType, await indexParts(ctx, index.options, index.type))
  }
  return parts
}

function indexOf({ site }: Context, { index: options }: Type): { options: IndexOptions; type: Type } | null {
  const type = options === null ? undefined : site.types.get(options.piecesType)
  return options === null || type === undefined ? null : { options, type }
}

async function pageHints(ctx: Context, pages: readonly ListedPage[]): Promise<(page: ListedPage) => Hints> {
  const view = { locale: ctx.locale, mode: ctx.mode, archived: false, visibility: null }
  const byType = new Map<Type, Awaited<ReturnType<typeof hintsOf>>>()
  for (const [type, ofType] of Map.groupBy(pages, ({ pageType }) => pageType)) {
    const read = async (some: readonly ListedPage[]) => {
      const rows = some.map(({ row }) => row)
      return (await ctx.store.tree.ofRows(view, rows)).map(({ document }) => document)
    }
    byType.set(type, await hintsOf(type, ofType, read))
  }
  return ({ pageType, docId, isBelowHidden }) => {
    const hints = byType.get(pageType)?.(docId) ?? {}
    return isBelowHidden ? { ...hints, sitemap: false } : hints
  }
}

async function* urlsOfPage(
  ctx: Context,
  page: ListedPage,
  parts: readonly Part[] | undefined,
  { tree, hints }: { readonly tree: ListedPages; readonly hints: (page: ListedPage) => Hints },
): AsyncGenerator<ListedUrl> {
  const { docId, type, slug, title, updatedAt } = page
  const { locale, mode } = ctx
  const entry = entryOf(ctx, { id: { docId, locale, mode }, type, slug }, hints(page))
  yield { entry, title, updatedAt: parts === undefined ? updatedAt : null, isDocument: true, isPartOfList: false }
  if (parts === undefined) return
  for (const { filter, steps, id: part, isCombined } of indexUrls(ctx.site, parts)) {
    if (!(await isFree(tree, slug, steps, pieceFinder(ctx)))) continue
    // As slugs are: callers encode it.
    const url = withFilter(entry.url, steps.length > 0 ? `/${steps.join('/')}` : filter)
    yield {
      entry: { ...entry, url, i18nId: docId + part, ...(isCombined ? { sitemap: false } : {}) },
      title,
      updatedAt: null,
      isDocument: false,
      isPartOfList: true,
    }
  }
}

/** Looks for pieces of index pages that lie between an index page and what it has. One statement each time. */
function pieceFinder(ctx: Context): HasPiece {
  return async (pageType, slug) => {
    const index = indexOf(ctx, pageType)
    const access = index && viewOf(ctx.actor, index.type)
    if (!access) return false
    const view = piecesView(ctx, access)
    const conditions = [{ kind: 'column', column: 'slug', anyOf: [slug] } as const]
    return (await ctx.store.documents.count({ ...view, conditions })) > 0
  }
}

async function* pieceUrls(ctx: Context, tree: ListedPages, type: Type, page: ListedPage): AsyncGenerator<ListedUrl[]> {
  const access = viewOf(ctx.actor, type)
  if (access === null) return
  const view = piecesView(ctx, access)
  const read = (some: readonly ListedDocument[]) => {
    return ctx.store.documents.many(
      view,
      some.map(({ id }) => id.docId),
    )
  }
  let after = ''
  for (;;) {
    await waitForTurn()
    const found = await ctx.store.documents.bySlug(view, after, BATCH)
    const last = found.at(-1)
    if (last === undefined) return
    after = last.key
    const hints = await hintsOf(type, found, read)
    yield found
      .filter(({ slug }) => !isTaken(tree, joinSlug(page.slug, slug)))
      .map((piece) => urlOfPiece(ctx, type, page, { piece, hints: hints(piece.id.docId) }))
    if (found.length < BATCH) return
  }
}

function urlOfPiece(
  ctx: Context,
  { name: type }: Type,
  page: ListedPage,
  { piece, hints }: { readonly piece: ListedDocument; readonly hints: Hints },
): ListedUrl {
  const { id, title, updatedAt } = piece
  const slug = joinSlug(page.slug, piece.slug)
  const entry = entryOf(ctx, { id, type, slug }, page.isBelowHidden ? { ...hints, sitemap: false } : hints)
  return { entry, title, updatedAt, isDocument: true, isPartOfList: false }
}

function entryOf(
  ctx: Context,
  { id, type, slug }: { readonly id: DocumentId; readonly type: string; readonly slug: string },
  hints: Hints,
): DocumentUrl {
  const { docId } = id
  const url = localePath(ctx, ctx.locale, slug)
  return { url, type, aposDocId: docId, i18nId: docId, _id: DocumentId.format(id), ...hints }
}
