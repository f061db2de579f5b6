import type { JsonObject } from '../../base/json.ts'
import { shownDocument, shownPages } from '../../engine/answers/shown-documents.ts'
import type { Context } from '../../engine/context.ts'
import { pageTypes, visibilityOf } from '../../engine/pages/page-access.ts'
import { homeId } from '../../engine/pages/parked.ts'
import { formerUrls } from '../../engine/pages/present-pages.ts'
import { fallbacksOf, seenVisibility } from '../../engine/permissions.ts'
import { exceptNames, type Projection } from '../../engine/presentation/projection.ts'
import { stylesheetProperties } from '../../engine/styles/stylesheet.ts'
import { fixedId } from '../../engine/values/fixed-id.ts'
import { type TypeView, viewsOf } from '../../engine/view.ts'
import type { Field } from '../../model/field-type/field-type.ts'
import { stateOf } from '../../model/terms/document.ts'
import type { DocId, Locale } from '../../model/terms/document-id.ts'
import { isEmpty, propertyNames } from '../../model/values/walk.ts'
import type { Page, PagesQuery } from '../../store/contract/store.ts'
import { cached } from './cached.ts'

/** The most children of a page in navigation, and the most pages in all. */
const MOST_CHILDREN = 250
const MOST_PAGES = 1000

/** The pages around a page in the tree. */
interface Surroundings {
  readonly historicUrls: string[]
  /** From home down, each with its children. */
  readonly ancestors: JsonObject[]
  readonly children: JsonObject[]
}

/** The home page with two levels of children, for navigation (§4.2b); null where the visitor may not see it. */
export function homeTree(ctx: Context): Promise<JsonObject | null> {
  return cached(ctx, 'home', async () => {
    const pages = await ctx.store.tree.pages({
      ...visiblePages(ctx),
      docIds: [homeId],
      childrenOf: [homeId],
      grandchildrenOf: homeId,
      limit: MOST_PAGES,
    })
    const shown = await pagesToNavigate(ctx, pages)
    const withChildren = (docId: DocId): JsonObject[] => {
      return childrenIn(pages, docId).flatMap((id) => {
        const page = shown.get(id)
        return page === undefined ? [] : [{ ...page, _children: withChildren(id) }]
      })
    }
    const home = shown.get(homeId)
    return home === undefined ? null : { ...home, _children: withChildren(homeId) }
  })
}

/** The pages around a page, cached. */
export function surroundingsOf(ctx: Context, { position }: Page): Promise<Surroundings> {
  const { docId, path } = position
  return cached(ctx, `around ${docId}`, async () => {
    const docIds = path.split('/')
    const pages = await ctx.store.tree.pages({ ...visiblePages(ctx), docIds, childrenOf: docIds })
    const shown = await pagesToNavigate(ctx, pages)
    const named = (ids: readonly DocId[]) => ids.map((id) => shown.get(id)).filter((page) => page !== undefined)
    const childrenOf = (id: DocId) => named(childrenIn(pages, id)).map((page) => ({ ...page, _children: [] }))
    const own = pages.filter((page) => page.position.docId === docId)
    const looks = own.map(({ document }) => ({ docId, ...visibilityOf(document) }))
    const former = await formerUrls(ctx, looks, { locale: ctx.locale, project: null })
    return {
      historicUrls: [...(former.get(docId) ?? [])],
      ancestors: named(docIds.slice(0, -1)).map((page) => ({ ...page, _children: childrenOf(String(page.aposDocId)) })),
      children: childrenOf(docId),
    }
  })
}

/** The global document as the visitor may see it; empty where they may not. */
export function globalData(ctx: Context): Promise<JsonObject> {
  return cached(ctx, 'global', async () => {
    const access = viewsOf(ctx).of(`${ctx.site.namespace}/global`)
    if (access === null) return {}
    const { type } = access
    const { locale, mode } = ctx
    const document = await ctx.store.documents.get({ docId: fixedId(type.name), locale, mode })
    if (document === null || !access.includes(stateOf(document).visibility)) return {}
    const answer = await shownDocument(ctx, document, GLOBAL)
    if (answer === null) return {}
    const filled = await fallbackFields(ctx, access, answer)
    return { ...answer, ...filled, ...(await stylesheetProperties(ctx, document.id, null)) }
  })
}

const GLOBAL = { as: 'pageData', project: null, isRendered: true } as const

/**
 * The fields of the global document that are blank, as the locales that it falls back to fill them in (§4.5), and which
 * locale fills in which (`_fallbacks`). Two statements for each locale.
 */
async function fallbackFields(
  ctx: Context,
  { type, fields, includes }: TypeView,
  answer: JsonObject,
): Promise<JsonObject> {
  const blank = new Set(fields.filter((field) => field.type.computed !== true && isEmpty(field, answer)))
  const filled: JsonObject = {}
  const _fallbacks: { [field: string]: Locale } = {}
  for (const locale of blank.size > 0 ? fallbacksOf(ctx, ctx.locale) : []) {
    const there = { ...ctx, locale }
    const other = await ctx.store.documents.get({ docId: fixedId(type.name), locale, mode: ctx.mode })
    if (other === null || !includes(stateOf(other).visibility)) continue
    const values = (await shownDocument(there, other, GLOBAL)) ?? {}
    for (const field of blank) {
      if (isEmpty(field, values)) continue
      for (const name of [field.name, ...propertyNames(field)]) if (name in values) filled[name] = values[name] ?? null
      _fallbacks[field.name] = locale
      blank.delete(field)
    }
  }
  return Object.keys(_fallbacks).length === 0 ? {} : { ...filled, _fallbacks }
}

function visiblePages({ locale, mode, actor }: Context): PagesQuery {
  const visibility = seenVisibility(actor)
  return { locale, mode, archived: false, visibility, childLimit: MOST_CHILDREN }
}

/** The children of a page that navigation shows, in order. */
function childrenIn(pages: readonly Page[], parent: DocId): DocId[] {
  const isShown = ({ position, document }: Page) => position.parent === parent && !stateOf(document).isOrphan
  return pages.filter(isShown).map(({ position }) => position.docId)
}

/** Pages as navigation shows them. */
function pagesToNavigate(ctx: Context, pages: readonly Page[]): Promise<ReadonlyMap<DocId, JsonObject>> {
  return shownPages(ctx, pages, { as: 'pageData', project: forNavigation(ctx) })
}

/**
 * True for areas and relationships, and for what has some inside: navigation is shared, and these are changed when
 * rendered.
 */
function isHeavy({ type, options }: Field): boolean {
  if (type.relation !== undefined || type.strays !== undefined) return true
  return type.innerFields?.(options)?.list.some(isHeavy) ?? false
}

/** Leaves out what navigation does not show, and what costs most to load. */
function forNavigation({ site }: Context): Projection {
  const heavy = pageTypes(site).flatMap(({ fields }) => fields.list.filter(isHeavy).map(({ name }) => name))
  return exceptNames([...heavy, 'historicUrls', 'updatedBy'])
}
