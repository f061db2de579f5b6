import type { JsonObject } from '../../base/json.ts'
import type { Context } from '../../engine/context.ts'
import { type ReadAccess, readAccess } from '../../engine/permissions.ts'
import { isNamed, present } from '../../engine/present.ts'
import type { DocId, Document, Locale } from '../../model/document.ts'
import type { Page } from '../../store/store.ts'
import { pageType } from './locate.ts'
import { parkedPage } from './parked.ts'

/**
 * Pages → JSON for the caller (§2.2), by aposDocId: as pieces, with their place in the tree. Pages of types that the
 * caller may not see are left out. One statement for former URLs, and what relationships take for each page type.
 */
export async function presentPages(
  ctx: Context,
  pages: readonly Page[],
  locale: Locale,
): Promise<Map<DocId, JsonObject>> {
  const former = await ctx.store.tree.formerUrls(
    locale,
    pages.map(({ document }) => document.id.docId),
  )
  const shown = new Map<DocId, JsonObject>()
  for (const [typeName, ofType] of byType(pages)) {
    const type = pageType(ctx, typeName)
    const access = type && readAccess(ctx.actor, type)
    if (!type || !access) continue
    const visible = ofType.filter(({ document }) => isVisible(document, access))
    const documents = visible.map(({ document }) => document)
    const answers = await present(ctx, documents, { type, access, project: null })
    visible.forEach(({ document, place }, index) => {
      const { docId } = document.id
      const values: JsonObject = {
        ...parkedValues(ctx, docId),
        level: place.level,
        rank: place.rank,
        path: place.path,
        historicUrls: former.get(docId) ?? [],
      }
      const isShown = (name: string) => access.fields === 'full' || isNamed(type.publicProjection, name)
      shown.set(docId, Object.assign(answers[index] ?? {}, onlyNamed(values, isShown)))
    })
  }
  return shown
}

/** True when the caller's answers about pages of this type hold this computed name (`_children`, `_ancestors`). */
export function showsName(ctx: Context, { document }: Page, name: string): boolean {
  const type = pageType(ctx, document.type)
  const access = type && readAccess(ctx.actor, type)
  if (!type || !access) return false
  return access.fields === 'full' || isNamed(type.publicProjection, name)
}

function parkedValues(ctx: Context, docId: DocId): JsonObject {
  const parked = parkedPage(ctx.site, docId)
  return parked ? { parkedId: parked.parkedId, parked: [...parked.fixed] } : {}
}

function isVisible(document: Document, { visibility }: ReadAccess): boolean {
  return visibility === null || document.fields.visibility === visibility
}

function onlyNamed(values: JsonObject, isShown: (name: string) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([name]) => isShown(name)))
}

function byType(pages: readonly Page[]): Map<string, Page[]> {
  const groups = new Map<string, Page[]>()
  for (const page of pages) {
    const group = groups.get(page.document.type)
    if (group) group.push(page)
    else groups.set(page.document.type, [page])
  }
  return groups
}
