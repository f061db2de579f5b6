import type { JsonObject } from '../../base/json.ts'
import type { DocId, Locale } from '../../model/terms/document.ts'
import type { Page, TreePosition } from '../../store/contract/store.ts'
import type { Context } from '../context.ts'
import { pageUrl } from '../presentation/document-url.ts'
import { type Presentation, present } from '../presentation/present.ts'
import { type Projection, projectsName } from '../presentation/projection.ts'
import type { TypeView } from '../view.ts'
import { IN_TREE, type NameInTree, type PageVisibility, pageAccess, visibilityOf } from './page-access.ts'
import { parkedPage } from './parked.ts'

/** How pages of any type are shown to the caller. */
interface PagesPresentation extends Pick<Presentation, 'project' | 'isRendered'> {
  readonly former: FormerUrls
}

/**
 * Pages → JSON for the caller (§2.2), by aposDocId: as pieces, with their position in the tree. Pages of types that the
 * caller may not see are left out, and all that `project` leaves out. For each page type the statements of its
 * relationships.
 */
export async function presentPages(
  ctx: Context,
  pages: readonly Page[],
  { former, ...presentation }: PagesPresentation,
): Promise<Map<DocId, JsonObject>> {
  const seen = pages.flatMap((page) => {
    const access = pageAccess(ctx, visibilityOf(page.document))
    return access ? [{ ...page, access }] : []
  })
  const shown = new Map<DocId, JsonObject>()
  for (const [access, ofType] of Map.groupBy(seen, (page) => page.access)) {
    const documents = ofType.map(({ document }) => document)
    const answers = await present(ctx, documents, { access, ...presentation })
    ofType.forEach(({ document, position }, index) => {
      const { docId } = document.id
      const names = shownInTree(access, presentation.project)
      shown.set(docId, Object.assign(answers[index] ?? {}, positionValues(ctx, position, { names, former })))
    })
  }
  return shown
}

/** True when the caller's answers about a page like this hold this computed name (`_children`, `_ancestors`). */
export function showsName(ctx: Context, page: PageVisibility, name: string): boolean {
  return pageAccess(ctx, page)?.shows(name) === true
}

/** Which of these names the caller's answers about pages of a type hold. */
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
