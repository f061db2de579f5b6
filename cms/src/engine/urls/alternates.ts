import { joinSlug } from '../../base/text.ts'
import type { Type } from '../../model/declared/types.ts'
import type { DocId, Locale } from '../../model/terms/document-id.ts'
import type { CopyOutline } from '../../store/contract/store.ts'
import type { Context } from '../context.ts'
import { seenLocales } from '../permissions.ts'
import { absoluteUrl, localePath } from '../presentation/document-url.ts'
import { viewOf } from '../view.ts'
import { piecesView } from './index-lists.ts'
import { isTaken, type ListedPage, type ListedPages, listedPages } from './listed-pages.ts'
import { hintsOf } from './sitemap-hints.ts'

/** Where a document is in one locale. */
interface Alternate {
  readonly locale: Locale
  readonly url: string
}

/** Where documents are in each public locale, by aposDocId. */
export type Alternates = ReadonlyMap<DocId, readonly Alternate[]>

/** A locale, and the pages that visitors see in it. */
interface Tree {
  readonly ctx: Context
  readonly tree: ListedPages
  readonly byId: ReadonlyMap<DocId, ListedPage>
}

/** The assumed bytes of a document whose bytes are not known. */
const USUAL_BYTES = 40_000

/**
 * Looks up where documents are in the public locales of the site, as far as the sitemap lists them there: one statement
 * for each locale now, and one each time that it is asked; of types that say for each document whether sitemaps list
 * it, what reading those takes.
 */
export async function alternatesIn(ctx: Context): Promise<(docIds: readonly DocId[]) => Promise<Alternates>> {
  const locales = seenLocales(ctx)
  if (locales.length < 2) return async () => new Map()
  const trees: Tree[] = []
  for (const locale of locales) trees.push(await treeOf({ ...ctx, locale }))
  return async (docIds) => {
    const copies = await ctx.store.documents.outlines(docIds, { mode: 'published' })
    const found = new Map<DocId, Alternate[]>()
    for (const tree of trees) {
      for (const [docId, alternate] of await listedIn(tree, copies)) {
        found.set(docId, [...(found.get(docId) ?? []), alternate])
      }
    }
    return found
  }
}

async function treeOf(ctx: Context): Promise<Tree> {
  const tree = await listedPages(ctx)
  return { ctx, tree, byId: new Map(tree.pages.map((page) => [page.docId, page])) }
}

/** The documents that the sitemap of a locale lists. */
async function listedIn(tree: Tree, copies: readonly CopyOutline[]): Promise<[DocId, Alternate][]> {
  const { ctx } = tree
  const { locale, site } = ctx
  // A piece without locales is the same in all of them.
  const own = copies.filter(({ id }) => id.locale === locale || id.locale === '')
  const found: [DocId, Alternate][] = []
  for (const [name, ofType] of Map.groupBy(own, ({ type }) => type)) {
    const type = site.types.get(name)
    const isListed = type && (await listedOf(ctx, type, ofType))
    for (const copy of ofType) {
      const slug = isListed?.(copy.id.docId) ? slugIn(tree, copy) : null
      if (slug === null) continue
      const url = absoluteUrl(ctx, locale, localePath(ctx, locale, slug))
      found.push([copy.id.docId, { locale, url }])
    }
  }
  return found
}

/** The documents that their type does not exclude from sitemaps. */
async function listedOf(
  ctx: Context,
  type: Type,
  copies: readonly CopyOutline[],
): Promise<((docId: DocId) => boolean) | undefined> {
  const access = viewOf(ctx.actor, type)
  if (access === null) return undefined
  const items = copies.map(({ id }) => ({ docId: id.docId, bytes: USUAL_BYTES }))
  const hints = await hintsOf(type, items, (some) => {
    return ctx.store.documents.many(
      piecesView(ctx, access),
      some.map(({ docId }) => docId),
    )
  })
  return (docId) => hints(docId).sitemap !== false
}

/** The slug at which visitors find a document: of a page, or of a piece below its index page. Null for none. */
function slugIn({ ctx, tree, byId }: Tree, { id, type, slug, visibility }: CopyOutline): string | null {
  if (visibility !== 'public') return null
  const isPage = ctx.site.types.get(type)?.family === 'page'
  const page = isPage ? byId.get(id.docId) : tree.indexes.get(type)
  if (page === undefined || page.isBelowHidden) return null
  if (isPage) return slug
  const path = joinSlug(page.slug, slug)
  return isTaken(tree, path) ? null : path
}
