import type { JsonObject } from '../../base/json.ts'
import { late } from '../../base/late.ts'
import type { Type } from '../../model/declared/types.ts'
import type { DocId, Locale, Mode } from '../../model/terms/document.ts'
import type { Page, TreePosition } from '../../store/contract/store.ts'
import type { Context } from '../context.ts'
import type { ReadAccess } from '../permissions.ts'
import { pageUrl } from '../presentation/document-url.ts'
import { type Presentation, present } from '../presentation/present.ts'
import { isNamed, type Projection, projectsName } from '../presentation/projection.ts'
import { type PageVisibility, pageAccess, visibilityOf } from './page-access.ts'
import { parkedPage } from './parked.ts'

const addSchedules = late(() => import('../presentation/add-schedules.ts'), 'addSchedules')

/** How pages of any type are shown to the caller. */
export interface PagesPresentation extends Pick<Presentation, 'project' | 'isRendered' | 'whenRelatedTooLong'> {
  readonly former: FormerUrls
  /** Whether drafts show their schedules. */
  readonly isScheduled?: boolean
}

/**
 * Pages → JSON for the caller (§2.2), by aposDocId: as pieces, with their position in the tree. Pages of types that the
 * caller may not see are left out, and all that `project` leaves out. For each page type the statements of its
 * relationships.
 */
export async function presentPages(
  ctx: Context,
  pages: readonly Page[],
  { former, isScheduled = false, ...asked }: PagesPresentation,
): Promise<Map<DocId, JsonObject>> {
  const seen = pages.flatMap((page) => {
    const found = pageAccess(ctx, visibilityOf(page.document))
    return found ? [{ ...page, ...found }] : []
  })
  const shown = new Map<DocId, JsonObject>()
  for (const [type, ofType] of Map.groupBy(seen, (page) => page.type)) {
    const [{ access } = {}] = ofType
    if (!access) continue
    const documents = ofType.map(({ document }) => document)
    const answers = await present(ctx, documents, { type, access, ...asked })
    if (isScheduled && type.scheduling)
      await addSchedules(ctx, documents, answers, { type, access, project: asked.project })
    ofType.forEach(({ document, position }, index) => {
      const { docId } = document.id
      const names = shownInTree({ type, access }, asked.project)
      shown.set(docId, Object.assign(answers[index] ?? {}, positionValues(ctx, names, position, former)))
    })
  }
  return shown
}

/** Whether pages of a mode are shown with schedules: no commit announces those, so the answers are not cached. */
export function tellsSchedules({ site }: Context, mode: Mode): boolean {
  return mode === 'draft' && [...site.types.values()].some(({ family, scheduling }) => family === 'page' && scheduling)
}

/** True when the caller's answers about a page like this hold this computed name (`_children`, `_ancestors`). */
export function showsName(ctx: Context, page: PageVisibility, name: string): boolean {
  const found = pageAccess(ctx, page)
  return found !== null && isShown(found, name)
}

/** What a page has besides its document: its position in the tree. */
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

/** Which of these names the caller's answers about pages of a type hold. */
export function shownInTree(seen: Seen, project: Projection | null): ReadonlySet<NameInTree> {
  return new Set(IN_TREE.filter((name) => isShown(seen, name) && projectsName(project, name)))
}

/** The values of these names, except those that show other pages (`_ancestors`, `_children`). */
export function positionValues(
  ctx: Context,
  names: ReadonlySet<NameInTree>,
  { docId, level, rank, path }: Pick<TreePosition, 'docId' | 'level' | 'rank' | 'path'>,
  former: FormerUrls,
): JsonObject {
  const values: JsonObject = {}
  const parked = parkedPage(ctx.site, docId)
  if (parked && names.has('parkedId')) values.parkedId = parked.parkedId
  if (parked && names.has('parked')) values.parked = [...parked.fixed]
  if (names.has('level')) values.level = level
  if (names.has('rank')) values.rank = rank
  if (names.has('path')) values.path = path
  if (names.has('historicUrls')) values.historicUrls = [...(former.get(docId) ?? [])]
  return values
}

/** What the caller sees of pages of a type. */
export interface Seen {
  readonly type: Type
  readonly access: ReadAccess
}

function isShown({ type, access }: Seen, name: string): boolean {
  return access.fields === 'full' || isNamed(type.publicProjection, name)
}

/** The former URLs of pages, by aposDocId. */
export type FormerUrls = ReadonlyMap<DocId, readonly string[]>

/** The former URLs of those pages for which the caller sees them. At most one statement. */
export async function formerUrls(
  ctx: Context,
  locale: Locale,
  pages: readonly (PageVisibility & { readonly docId: DocId })[],
  project: Projection | null,
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
