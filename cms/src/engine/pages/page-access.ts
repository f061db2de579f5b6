import { invalid, notFound } from '../../base/errors.ts'
import type { Site, Type } from '../../model/declared/types.ts'
import { type Document, stateOf } from '../../model/terms/document.ts'
import type { Mode, Visibility } from '../../model/terms/document-id.ts'
import type { Context } from '../context.ts'
import { type Action, assertContributor, isAnonymous, may, refusal } from '../permissions.ts'
import { type TypeView, viewOf } from '../view.ts'
import { isFixedType } from './parked.ts'

/** The properties of a page that come from its position in the tree. */
export const IN_TREE = [
  'parkedId',
  'parked',
  'level',
  'rank',
  'path',
  'historicUrls',
  '_ancestors',
  '_children',
] as const
export type NameInTree = (typeof IN_TREE)[number]

/** The page types of a site. */
export function pageTypes(site: Site): Type[] {
  return [...site.types.values()].filter((type) => type.family === 'page')
}

/** The page type of that name; null when it is none of this site. */
export function pageType({ site }: Context, name: string): Type | null {
  const type = site.types.get(name)
  return type?.family === 'page' ? type : null
}

/** The caller's views of the page types that they see. */
export function pageViews({ site, actor }: Context): TypeView[] {
  return pageTypes(site).flatMap((type) => viewOf(actor, type) ?? [])
}

/**
 * The visibility of pages that the caller may list in a mode; null for all. Throws
 * `unauthorized` or `forbidden` for drafts, and `notfound` where no page type is shown at all (§4.2).
 */
export function pagesVisibility(ctx: Context, mode: Mode): Visibility | null {
  if (mode === 'draft') assertContributor(ctx)
  const seen = pageViews(ctx)
  if (seen.length === 0) throw notFound()
  return seen.every(({ visibility }) => visibility === 'public') ? 'public' : null
}

/** The properties of a page that decide who sees it. */
export interface PageVisibility {
  readonly type: string
  readonly visibility: unknown
}

/** Returns the visibility of a loaded page. */
export function visibilityOf(document: Document): PageVisibility {
  return { type: document.type, visibility: stateOf(document).visibility }
}

/** The view of the type of a page; null when this page is hidden from them. */
export function pageAccess(ctx: Context, page: PageVisibility): TypeView | null {
  const type = pageType(ctx, page.type)
  const view = type && viewOf(ctx.actor, type)
  return view?.includes(page.visibility) ? view : null
}

/** Refuses, before any page is looked up, what the caller's role can never do to a page of any type. */
export function assertMaySome(ctx: Context, action: Action): void {
  if (!pageTypes(ctx.site).some((type) => may(ctx.actor, action, type))) throw refusal(ctx.actor)
}

/** A page that a known caller may not read answers like one that does not exist. */
export function assertSees(ctx: Context, type: Type): void {
  if (!isAnonymous(ctx.actor) && viewOf(ctx.actor, type) === null) throw notFound()
}

/** The page type a body names. Throws `invalid` for piece types, built-in pages' types and unknown ones. */
export function readType(ctx: Context, name: unknown): Type {
  const type = typeof name === 'string' ? pageType(ctx, name) : null
  if (type && !isFixedType(ctx.site, type.name)) {
    assertSees(ctx, type)
    return type
  }
  const types = pageTypes(ctx.site).filter((one) => !isFixedType(ctx.site, one.name))
  throw invalid(`type must be one of the page types: ${types.map((one) => one.name).join(', ')}.`)
}
