import { foldText } from '../../base/text.ts'
import type { DocId } from '../../model/document.ts'
import type { Type } from '../../model/types.ts'
import type { PublishedPage } from '../../store/store.ts'
import type { Context } from '../context.ts'
import { pageAccess } from '../pages/access.ts'

/** A page that visitors may see at its URL. */
export interface ListedPage extends PublishedPage {
  readonly pageType: Type
  /** A page above it is hidden from visitors: who has its URL sees it, but nothing leads there. */
  readonly isBelowHidden: boolean
}

/** The pages of a locale that visitors see. */
export interface ListedPages {
  /** By level, then rank. */
  readonly pages: readonly ListedPage[]
  readonly taken: TakenSlugs
}

/** The slugs of the pages that visitors see, folded. */
export interface TakenSlugs {
  readonly all: ReadonlySet<string>
  /** Those of index pages, which have paths below them. */
  readonly indexes: ReadonlySet<string>
}

/** The pages that the caller, a visitor, may see in the locale. One statement. */
export async function listedPages(ctx: Context): Promise<ListedPages> {
  const open = new Set<DocId>([''])
  const all = new Set<string>()
  const indexes = new Set<string>()
  const pages: ListedPage[] = []
  for (const page of await ctx.store.tree.published(ctx.locale)) {
    const found = pageAccess(ctx, page)
    if (found === null) continue
    const isBelowHidden = !open.has(page.parent)
    if (!isBelowHidden) open.add(page.docId)
    all.add(foldText(page.slug))
    if (found.type.index !== null) indexes.add(foldText(page.slug))
    pages.push({ ...page, pageType: found.type, isBelowHidden })
  }
  return { pages, taken: { all, indexes } }
}

/**
 * Whether pages leave a path below an index page to it (§4.2b): none of them is at the path, and no other index page is
 * nearer to it. `steps` are not encoded.
 */
export function isFree({ all, indexes }: TakenSlugs, indexSlug: string, steps: readonly string[]): boolean {
  let slug = indexSlug === '/' ? '' : indexSlug
  for (const [at, step] of steps.entries()) {
    // No slug has a step with a slash in it, nor anything below one.
    if (step.includes('/')) return true
    slug += `/${step}`
    if ((at === steps.length - 1 ? all : indexes).has(foldText(slug))) return false
  }
  return true
}
