import type { JsonObject } from '../../base/json.ts'
import { late } from '../../base/late.ts'
import type { DocId, Locale } from '../../model/document.ts'
import type { Type } from '../../model/types.ts'
import type { Page } from '../../store/store.ts'
import type { Context } from '../context.ts'
import type { ReadAccess } from '../permissions.ts'
import { type Presentation, present } from '../presentation/present.ts'
import { isNamed, type Projection, projectsName } from '../presentation/projection.ts'
import { pageUrl } from '../presentation/url.ts'
import { type PageVisibility, pageAccess, visibilityOf } from './access.ts'
import { parkedPage } from './parked.ts'

const addSchedules = late(() => import('../presentation/schedules.ts'), 'addSchedules')

/** How pages of any type are shown to the caller. */
export interface PagesPresentation extends Pick<Presentation, 'project' | 'isDrawn' | 'whenRelatedTooLong'> {
  readonly former: FormerUrls
  /** Drafts tell of their schedules. */
  readonly isScheduled?: boolean
}

/**
 * Pages → JSON for the caller (§2.2), by aposDocId: as pieces, with their position in the tree. Pages of types that the
 * caller may not see are left out, and all that `project` leaves out. What relationships take, for each page type.
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
      const values: JsonObject = {
        ...parkedValues(ctx, docId),
        level: position.level,
        rank: position.rank,
        path: position.path,
        historicUrls: [...(former.get(docId) ?? [])],
      }
      const named = Object.entries(values).filter(
        ([name]) => isShown({ type, access }, name) && projectsName(asked.project, name),
      )
      shown.set(docId, Object.assign(answers[index] ?? {}, Object.fromEntries(named)))
    })
  }
  return shown
}

/** True when the caller's answers about a page like this hold this computed name (`_children`, `_ancestors`). */
export function showsName(ctx: Context, page: PageVisibility, name: string): boolean {
  const found = pageAccess(ctx, page)
  return found !== null && isShown(found, name)
}

interface Seen {
  readonly type: Type
  readonly access: ReadAccess
}

function isShown({ type, access }: Seen, name: string): boolean {
  return access.fields === 'full' || isNamed(type.publicProjection, name)
}

/** The URLs that pages had, by aposDocId. */
export type FormerUrls = ReadonlyMap<DocId, readonly string[]>

/** The former URLs of those pages of which the caller is shown them. At most one statement. */
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
  return new Map([...slugs].map(([docId, some]) => [docId, some.map((slug) => pageUrl(ctx, locale, slug))]))
}

function parkedValues(ctx: Context, docId: DocId): JsonObject {
  const parked = parkedPage(ctx.site, docId)
  return parked ? { parkedId: parked.parkedId, parked: [...parked.fixed] } : {}
}
