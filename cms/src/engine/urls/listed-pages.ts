import { foldText } from '../../base/text.ts'
import { reservedBy } from '../../model/declared/reserved-slugs.ts'
import type { Type } from '../../model/declared/types.ts'
import type { DocId } from '../../model/terms/document-id.ts'
import type { PublishedPage } from '../../store/contract/store.ts'
import type { Context } from '../context.ts'
import { pageAccess } from '../pages/page-access.ts'
import { viewsOf } from '../view.ts'

/** A page that visitors may see at its URL. */
export interface ListedPage extends PublishedPage {
  readonly pageType: Type
  /** A page above it is hidden from visitors: a visitor who has its URL sees it, but nothing links to it. */
  readonly isBelowHidden: boolean
}

/** The pages of a locale that visitors see. */
export interface ListedPages {
  /** By level, then rank. */
  readonly pages: readonly ListedPage[]
  /** The documents at the paths of pages, by slug, folded. */
  readonly bySlug: ReadonlyMap<string, Pick<ListedPage, 'slug' | 'pageType'>>
  /** Whether something else than pages answers at a path, or below it (§4.2b). */
  isReserved(path: string): boolean
  /** The index pages that pieces have their URLs below, by piece type: the first of each in the tree. */
  readonly indexes: ReadonlyMap<string, ListedPage>
}

/** The pages that the caller, a visitor, may see in the locale. One statement. */
export async function listedPages(ctx: Context): Promise<ListedPages> {
  const open = new Set<DocId>([''])
  const bySlug = new Map<string, Pick<ListedPage, 'slug' | 'pageType'>>()
  const indexes = new Map<string, ListedPage>()
  const isReserved = (path: string) => reservedBy(ctx.site, ctx.locale, path) !== null
  const pages: ListedPage[] = []
  for (const page of await ctx.store.tree.published(ctx.locale)) {
    const found = pageAccess(ctx, page)
    if (found === null || isReserved(page.slug)) continue
    bySlug.set(foldText(page.slug), { slug: page.slug, pageType: found.type })
    if (!hasPieces(ctx, found.type)) continue
    const isBelowHidden = !open.has(page.parent)
    if (!isBelowHidden) open.add(page.docId)
    const listed = { ...page, pageType: found.type, isBelowHidden }
    pages.push(listed)
    const { index } = found.type
    if (index !== null && !indexes.has(index.piecesType)) indexes.set(index.piecesType, listed)
  }
  return { pages, bySlug, indexes, isReserved }
}

/** An index page of pieces that visitors may not see is not there for them, but has its path. */
function hasPieces(ctx: Context, { index }: Type): boolean {
  return index === null || viewsOf(ctx).of(index.piecesType) !== null
}

/** Whether a page has this path, or hides it, or something else answers there. */
export function isTaken({ bySlug, isReserved }: ListedPages, path: string): boolean {
  return isReserved(path) || bySlug.has(foldText(path))
}

/** Whether an index page has a piece of this slug. */
export type HasPiece = (type: Type, slug: string) => Promise<boolean>

/**
 * Whether pages leave a path below an index page to it, as public URLs are found (§4.2b): the page with the longest
 * slug that begins the path has it, but where it has nothing there. `steps` are not encoded.
 */
export async function isFree(
  { bySlug, indexes, isReserved }: ListedPages,
  indexSlug: string,
  steps: readonly string[],
  hasPiece: HasPiece,
): Promise<boolean> {
  const base = indexSlug === '/' ? '' : indexSlug
  if (isReserved(`${base}/${steps.join('/')}`)) return false
  for (let count = steps.length; count > 0; count -= 1) {
    const slug = `${base}/${steps.slice(0, count).join('/')}`
    const page = bySlug.get(foldText(slug))
    if (page === undefined) continue
    // One that differs in case hides what is below it.
    if (count === steps.length || page.slug !== slug) return false
    const { index } = page.pageType
    if (index === null) continue
    const [step = '', ...more] = steps.slice(count)
    if (more.length % 2 === 1) return false
    // Elsewhere a piece has no URL of its own: links of the filter lead to it all the same.
    const isOwn = more.length === 0 && indexes.get(index.piecesType)?.slug === page.slug
    if (isOwn && (await hasPiece(page.pageType, step))) return false
  }
  return true
}
