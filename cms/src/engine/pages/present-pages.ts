import type { JsonObject } from '../../base/json.ts'
import type { DocId, Locale } from '../../model/terms/document-id.ts'
import type { TreePosition } from '../../store/contract/store.ts'
import type { Context } from '../context.ts'
import { pageUrl } from '../presentation/document-url.ts'
import { type Projection, projectsName } from '../presentation/projection.ts'
import type { TypeView } from '../view.ts'
import { IN_TREE, type NameInTree, type PageVisibility, pageAccess } from './page-access.ts'
import { parkedPage } from './parked.ts'

/** True when the caller's answers about a page like this hold this computed name (`_children`, `_ancestors`). */
export function showsName(ctx: Context, page: PageVisibility, name: string): boolean {
  return pageAccess(ctx, page)?.shows(name) === true
}

/** Selects the names that the caller's answers about pages of a type contain. */
export function shownInTree(view: TypeView, project: Projection | null): ReadonlySet<NameInTree> {
  return new Set(IN_TREE.filter((name) => view.shows(name) && projectsName(project, name)))
}

/** The values of these names, except those that show other pages (`_ancestors`, `_children`). */
export function positionValues(
  { site }: Pick<Context, 'site'>,
  { docId, level, rank, path }: Pick<TreePosition, 'docId' | 'level' | 'rank' | 'path'>,
  { names, former }: { readonly names: ReadonlySet<NameInTree>; readonly former: FormerUrls },
): JsonObject {
  const values: JsonObject = {}
  const parked = parkedPage(site, docId)
  if (parked && names.has('parkedId')) values.parkedId = parked.parkedId
  if (parked && names.has('parked')) values.parked = [...parked.fixed]
  if (names.has('level')) values.level = level
  if (names.has('rank')) values.rank = rank
  if (names.has('path')) values.path = path
  if (names.has('historicUrls')) values.historicUrls = [...(former.get(docId) ?? [])]
  return values
}

/** The former URLs of pages, by aposDocId. */
export type FormerUrls = ReadonlyMap<DocId, readonly string[]>

/** The former URLs of those pages for which the caller sees them. At most one statement. */
export async function formerUrls(
  ctx: Context,
  pages: readonly (PageVisibility & { readonly docId: DocId })[],
  { locale, project }: { readonly locale: Locale; readonly project: Projection | null },
): Promise<FormerUrls> {
  if (!projectsName(project, 'historicUrls')) return new Map()
  const shown = pages.filter((page) => showsName(ctx, page, 'historicUrls'))
  const slugs = await ctx.store.tree.formerUrls(
    locale,
    shown.map(({ docId }) => docId),
  )
  return urlsOf(ctx, locale, slugs)
}

/** The URLs of slugs, by aposDocId. */
export function urlsOf(ctx: Context, locale: Locale, slugs: Iterable<readonly [DocId, readonly string[]]>): FormerUrls {
  return new Map(Array.from(slugs, ([docId, some]) => [docId, some.map((slug) => pageUrl(ctx, locale, slug))]))
}
